import type { Queryable } from '../db/pool.ts';
import { statement } from '../db/statement.ts';

const find = statement(
  'username-account-id',
  { account_id: 'int8' },
  'SELECT account_id FROM usernames WHERE username_key = $1',
);

/** Whose name it is, in capitals or not. The account is a read of its own, for it may live on another server. */
export async function findAccountIdByUsername(db: Queryable, username: string): Promise<number | undefined> {
  const [found] = await find.run(db, [username.toLowerCase()]);
  return found?.account_id;
}

const take = statement(
  'username-take',
  { account_id: 'int8' },
  `INSERT INTO usernames (username_key, account_id) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING account_id`,
);

/** False when somebody has it already. */
export async function takeUsername(db: Queryable, username: string, accountId: number): Promise<boolean> {
  const taken = await take.run(db, [username.toLowerCase(), accountId]);
  return taken.length > 0;
}
