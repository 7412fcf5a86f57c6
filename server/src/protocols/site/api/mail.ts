import {
  type Changed,
  type NotifyContext,
  notifyOfDevicePassword,
  notifyOfEmail,
  notifyOfPassword,
} from '../../../core/accounts/mail/write-to-owner.ts';
import type { Peer } from '../../../net/http/caller/peer.ts';
import type { Mailer } from '../../../net/mailer.ts';
import type { SiteApiContext, MemberCall, SiteApiDeps } from './deps.ts';

export interface MailLinks {
  mailer: Mailer;
  /** The origin for links in the mail. */
  origin: string;
}

type MailDeps = Pick<SiteApiDeps, 'mailer' | 'siteHost' | 'publicHosts'>;

/**
 * The means to send mail to account owners; undefined when not possible. Links only lead to a host that the operator
 * configured, never to the Host header: otherwise an attacker could choose where the owner's link is opened.
 */
export function mailFor(
  { scheme, origin }: Pick<Peer, 'scheme' | 'origin'>,
  { mailer, siteHost, publicHosts = [] }: MailDeps,
): MailLinks | undefined {
  if (!mailer) return undefined;
  if (siteHost !== undefined) return { mailer, origin: `${scheme}://${siteHost}` };
  return publicHosts.length > 0 ? { mailer, origin } : undefined;
}

type ChangingCall = Pick<MemberCall, 'members' | 'caller'>;

/** Notifies the owner that the site password was changed. */
export const newsOfPassword = (call: ChangingCall, context: SiteApiContext, id: number): void =>
  notifyOfPassword(...notification(call, context, id));

/** Notifies the owner that the device password was changed. */
export const newsOfDevicePassword = (call: ChangingCall, context: SiteApiContext, id: number): void =>
  notifyOfDevicePassword(...notification(call, context, id));

/** Notifies the previous mailbox that the e-mail address was changed. */
export const newsOfEmail = (
  call: ChangingCall,
  context: SiteApiContext,
  id: number,
  oldEmail: string,
): void => notifyOfEmail(...notification(call, context, id), oldEmail);

function notification(
  { members, caller }: ChangingCall,
  context: SiteApiContext,
  id: number,
): [NotifyContext, Changed] {
  const origin = mailFor(caller, context)?.origin;
  const forgottenPage = origin === undefined ? undefined : `${origin}/listen/forgotten`;
  return [
    { db: members.pool, mailer: context.mailer, budgets: members.budgets },
    { id, language: caller.words.spoken, forgottenPage },
  ];
}
