import type { Mail, Mailer } from '../../../net/mailer.ts';
import type { Queryable } from '../../../storage/db/pool.ts';
import { type Words, wordsFor } from '../../i18n/words.ts';
import { findAccount, findAccountIdByEmail, findAccountIdByUsername } from '../accounts.ts';
import type { Budgets } from '../budgets.ts';
import { NO_ACCOUNT_ID } from '../login/login-secrets.ts';

/** How somebody who forgot the rest identifies the account. */
export type Whom = { username: string } | { email: string };

/** An account with an e-mail address. */
interface Addressee {
  id: number;
  username: string;
  email: string;
}

export type MailComposer = (to: Addressee) => Promise<Omit<Mail, 'to'>>;

interface MailContext {
  db: Queryable;
  mailer: Mailer;
  budgets: Budgets;
}

/**
 * Mails the owner of an account, if there is one. The account is looked up only when the mail is sent: by then the
 * caller has its response, which is the same for everybody.
 */
export function writeToOwner({ db, mailer, budgets }: MailContext, whom: Whom, write: MailComposer): void {
  mailer.add(async () => {
    const to = await findAddressee(db, whom);
    return to && (await budgets.hasRoomFor(to.email)) ? { to: to.email, ...(await write(to)) } : undefined;
  });
}

async function findAddressee(db: Queryable, whom: Whom): Promise<Addressee | undefined> {
  const id = await ('email' in whom
    ? findAccountIdByEmail(db, whom.email)
    : findAccountIdByUsername(db, whom.username));
  // Also for an unknown name: response times of a repeated request must not reveal whether it exists.
  const account = await findAccount(db, id ?? NO_ACCOUNT_ID);
  return account?.username && account.email
    ? { id: account.id, username: account.username, email: account.email }
    : undefined;
}

export interface NotifyContext {
  db: Queryable;
  /** Undefined when no mail server is configured: then no mail is sent. */
  mailer: Mailer | undefined;
  budgets: Budgets;
}

/** Which account was changed, and what its owner can do about it. */
export interface Changed {
  id: number;
  /** For an account without a language of its own. */
  language: string;
  /** The page to request a new password; undefined where only the operator can help. */
  forgottenPage?: string | undefined;
}

/** Sent in the background: the change stands whether or not these mails can be queued. */
export const notifyOfPassword = (context: NotifyContext, changed: Changed): void =>
  notifyOwner(context, changed, aboutPassword('password', changed));

/** Anyone with a session can set one, and could keep reading through radio calls after the session has ended. */
export const notifyOfDevicePassword = (context: NotifyContext, changed: Changed): void =>
  notifyOwner(context, changed, aboutPassword('devicePassword', changed));

const aboutPassword =
  (which: 'password' | 'devicePassword', { forgottenPage: link }: Changed): Write =>
  ({ username, words }) => ({
    subject: words.text(`members.${which}Subject`),
    text:
      link === undefined
        ? words.text(`members.${which}TextOperator`, { username })
        : words.text(`members.${which}Text`, { username, link }),
  });

/** To the previous address. A link would go to the new one, so only the operator can help. */
export const notifyOfEmail = (context: NotifyContext, changed: Changed, oldEmail: string): void =>
  notifyOwner(
    context,
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

type Write = (owner: Owner) => Pick<Mail, 'subject' | 'text'>;

function notifyOwner(
  { db, mailer, budgets }: NotifyContext,
  { id, language }: Changed,
  write: Write,
  email?: string,
): void {
  mailer?.addIfRoom(async () => {
    const account = await findAccount(db, id);
    const to = email ?? account?.email ?? undefined;
    if (!account?.username || to === undefined || !(await budgets.hasRoomFor(to, 'news'))) return undefined;
    return { to, ...write({ username: account.username, words: wordsFor(account.language ?? language) }) };
  });
}
