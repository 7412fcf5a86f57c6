import type { Caller } from '../http/caller.ts';
import type { Post } from '../lib/post.ts';
import {
  type Changed,
  type TellDesk,
  tellOfDevicePassword,
  tellOfEmail,
  tellOfPassword,
} from '../members/tell-owner.ts';
import type { Desk, MemberCall, SiteApiNeeds } from './needs.ts';

export interface Mail {
  post: Post;
  /** Where a link in a letter leads to. */
  origin: string;
}

type MailNeeds = Pick<SiteApiNeeds, 'post' | 'siteHost' | 'publicHosts'>;

/**
 * How owners of accounts are written to; undefined where they cannot be. A link in a letter leads to a host that the
 * operator named, never to one that only the caller did: whoever asks in another's name would choose where the other's
 * link is opened.
 */
export function mailFor(
  { scheme, links }: Pick<Caller, 'scheme' | 'links'>,
  { post, siteHost, publicHosts = [] }: MailNeeds,
): Mail | undefined {
  if (!post) return undefined;
  if (siteHost !== undefined) return { post, origin: `${scheme}://${siteHost}` };
  return publicHosts.length > 0 ? { post, origin: links.origin } : undefined;
}

type ChangingCall = Pick<MemberCall, 'members' | 'caller'>;

/** Tells the owner of an account that its password is another one now. */
export const newsOfPassword = (call: ChangingCall, desk: Desk, id: number): void =>
  tellOfPassword(...toldOf(call, desk, id));

/** Tells the owner of an account that its radios have another password now. */
export const newsOfDevicePassword = (call: ChangingCall, desk: Desk, id: number): void =>
  tellOfDevicePassword(...toldOf(call, desk, id));

/** Tells the mailbox that letters went to that they go elsewhere now. */
export const newsOfEmail = (call: ChangingCall, desk: Desk, id: number, oldEmail: string): void =>
  tellOfEmail(...toldOf(call, desk, id), oldEmail);

function toldOf({ members, caller }: ChangingCall, desk: Desk, id: number): [TellDesk, Changed] {
  const origin = mailFor(caller, desk)?.origin;
  const forgottenPage = origin === undefined ? undefined : `${origin}/listen/forgotten`;
  return [
    { db: members.pool, post: desk.post, budgets: members.budgets },
    { id, language: caller.words.spoken, forgottenPage },
  ];
}
