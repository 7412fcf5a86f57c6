import type { Queryable } from '../db/pool.ts';
import type { Letter, Post } from '../lib/post.ts';
import { type Words, wordsFor } from '../words/words.ts';
import { findAccount } from './accounts.ts';
import type { Budgets } from './budgets.ts';

export interface TellDesk {
  db: Queryable;
  /** Undefined where the operator has set up no mail server: then nobody is told. */
  post: Post | undefined;
  budgets: Budgets;
}

/** Whose account was changed, and what its owner can do about it. */
export interface Changed {
  id: number;
  /** For an account that has no language of its own. */
  language: string;
  /** Where a new password is asked for; undefined where only the operator can help. */
  forgottenPage?: string | undefined;
}

/** Nobody waits for these letters: what was changed stays changed, whether there is room for them or not. */
export const tellOfPassword = (desk: TellDesk, changed: Changed): void =>
  tell(desk, changed, aboutPassword('password', changed));

/** Who is signed in can make one, and then goes on reading by a radio's calls when the session has ended. */
export const tellOfDevicePassword = (desk: TellDesk, changed: Changed): void =>
  tell(desk, changed, aboutPassword('devicePassword', changed));

const aboutPassword =
  (which: 'password' | 'devicePassword', { forgottenPage: link }: Changed): Write =>
  ({ username, words }) => ({
    subject: words.text(`members.${which}Subject`),
    text:
      link === undefined
        ? words.text(`members.${which}TextOperator`, { username })
        : words.text(`members.${which}Text`, { username, link }),
  });

/** To the address that letters no longer go to. A link would be mailed to the new one, so only the operator can help. */
export const tellOfEmail = (desk: TellDesk, changed: Changed, oldEmail: string): void =>
  tell(
    desk,
    changed,
    ({ username, words }) => ({
      subject: words.text('members.emailSubject'),
      text: words.text('members.emailText', { username }),
    }),
    oldEmail,
  );

interface Owner {
  username: string;
  words: Words;
}

type Write = (owner: Owner) => Pick<Letter, 'subject' | 'text'>;

function tell(
  { db, post, budgets }: TellDesk,
  { id, language }: Changed,
  write: Write,
  email?: string,
): void {
  post?.addIfRoom(async () => {
    const account = await findAccount(db, id);
    const to = email ?? account?.email ?? undefined;
    if (!account?.username || to === undefined || !budgets.hasRoomFor(to, 'news')) return undefined;
    return { to, ...write({ username: account.username, words: wordsFor(account.language ?? language) }) };
  });
}
