import type { PoolClient } from 'pg';
import type { Queryable } from '../db/pool.ts';
import { type RowOf, statement } from '../db/statement.ts';

const COLUMNS = { preset_count: 'int4', folder_count: 'int4', is_left: 'bool' } as const;
const LIST = 'preset_count, folder_count, left_at IS NOT NULL AS is_left';

// As strong as an update's own lock, and no stronger: rows that refer to the account can still be added.
const lock = statement(
  'account-lock-to-save',
  COLUMNS,
  `SELECT ${LIST} FROM accounts WHERE id = $1 FOR NO KEY UPDATE`,
);
const look = statement('account-look', COLUMNS, `SELECT ${LIST} FROM accounts WHERE id = $1`);

/** The device went to another account between the question whose it is and the save: ask again. */
export class AccountLeft extends Error {
  override name = 'AccountLeft';
}

/**
 * Makes everybody else who changes the account's presets or folders wait until the transaction ends. It comes before any
 * other lock, so that two never wait for each other. The limits are compared by who locks: a row that the table refuses
 * is written to the database's log, with the e-mail address in it.
 */
export const lockAccount = async (client: PoolClient, accountId: number): Promise<RowOf<typeof COLUMNS>> =>
  inUse(accountId, await lock.run(client, [accountId]));

export const lookAtAccount = async (db: Queryable, accountId: number): Promise<RowOf<typeof COLUMNS>> =>
  inUse(accountId, await look.run(db, [accountId]));

function inUse(accountId: number, [account]: readonly RowOf<typeof COLUMNS>[]): RowOf<typeof COLUMNS> {
  if (!account) throw new Error(`there is no account ${accountId}`);
  if (account.is_left) throw new AccountLeft();
  return account;
}
