import type { Queryable } from '../db/pool.ts';
import { statement } from '../db/statement.ts';

/** In capitals or not, an address is one mailbox in practice. */
export const emailKey = (email: string): string => email.toLowerCase();

const find = statement(
  'email-account-id',
  { account_id: 'int8' },
  'SELECT account_id FROM emails WHERE email_key = $1',
);

/** Whose address it is. The account is a read of its own, for it may live on another server. */
export async function findAccountIdByEmail(db: Queryable, email: string): Promise<number | undefined> {
  const [found] = await find.run(db, [emailKey(email)]);
  return found?.account_id;
}

const take = statement(
  'email-take',
  { account_id: 'int8' },
  `INSERT INTO emails (email_key, account_id) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING account_id`,
);

/** False when somebody has it already. */
export async function takeEmail(db: Queryable, email: string, accountId: number): Promise<boolean> {
  const taken = await take.run(db, [emailKey(email), accountId]);
  return taken.length > 0;
}
