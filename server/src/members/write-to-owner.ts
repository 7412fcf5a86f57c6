import type { Queryable } from '../db/pool.ts';
import type { Letter, Post } from '../lib/post.ts';
import { findAccount } from './accounts.ts';
import type { Budgets } from './budgets.ts';
import { findAccountIdByEmail } from './emails.ts';
import { NOBODY } from './login-secrets.ts';
import { findAccountIdByUsername } from './usernames.ts';

/** How somebody who forgot the rest names the account. */
export type Whom = { username: string } | { email: string };

/** Someone who can be written to. */
export interface Addressee {
  id: number;
  username: string;
  email: string;
}

export type LetterTo = (to: Addressee) => Promise<Omit<Letter, 'to'>>;

interface Desk {
  db: Queryable;
  post: Post;
  budgets: Budgets;
}

/**
 * A letter to the owner of an account, if there is one. Whether there is, is looked up when the letter's turn comes: by
 * then whoever asked has the answer, the same for everybody.
 */
export function writeToOwner({ db, post, budgets }: Desk, whom: Whom, write: LetterTo): void {
  post.add(async () => {
    const to = await findAddressee(db, whom);
    return to && budgets.hasRoomFor(to.email) ? { to: to.email, ...(await write(to)) } : undefined;
  });
}

async function findAddressee(db: Queryable, whom: Whom): Promise<Addressee | undefined> {
  const id = await ('email' in whom
    ? findAccountIdByEmail(db, whom.email)
    : findAccountIdByUsername(db, whom.username));
  // Also for nobody: who asks again at once must not find us less busy.
  const account = await findAccount(db, id ?? NOBODY);
  return account?.username && account.email
    ? { id: account.id, username: account.username, email: account.email }
    : undefined;
}
