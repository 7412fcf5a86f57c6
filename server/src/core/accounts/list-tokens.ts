import { hash, randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import type { Queryable } from '../../storage/db/pool.ts';
import { statement } from '../../storage/db/statement.ts';
import { transaction } from '../../storage/db/transaction.ts';
import { findOpenAccount, lockAccount } from './accounts.ts';

/** One for each player, and some that were given away. */
export const MAX_LIST_TOKENS = 10;
const TOKEN_BYTES = 24;
/** Makes a token recognisable to people who find it in a file, and to secret scanners. */
const TOKEN_PREFIX = 'lwl_';
const TOKEN = new RegExp(`^${TOKEN_PREFIX}[\\w-]{32}$`);

const countTokens = statement(
  'list-tokens-count',
  { tokens: 'int8' },
  'SELECT count(*) AS tokens FROM list_tokens WHERE account_id = $1',
).oneValue((accountId: number) => [accountId]);
const add = statement(
  'list-token-add',
  {},
  'INSERT INTO list_tokens (token_hash, account_id) VALUES ($1, $2)',
).command((tokenHash: Buffer, accountId: number) => [tokenHash, accountId]);

/** A new secret for the address of an account's list, which cannot be shown again; undefined when it has enough of them. */
export async function addListToken(pool: Pool, accountId: number): Promise<string | undefined> {
  const token = TOKEN_PREFIX + randomBytes(TOKEN_BYTES).toString('base64url');
  return transaction(pool, async (client) => {
    // Two at once would each count those that were there before.
    await lockAccount(client, accountId);
    if ((await countTokens(client, accountId)) >= MAX_LIST_TOKENS) return undefined;
    await add(client, hashOf(token), accountId);
    return token;
  });
}

const find = statement(
  'list-token-find',
  { account_id: 'int8' },
  'SELECT account_id FROM list_tokens WHERE token_hash = $1',
).value((tokenHash: Buffer) => [tokenHash]);

/** Whose list it is; undefined for a token that nobody has, and for that of a closed account. */
export async function findListOwner(
  db: Queryable,
  token: string,
): Promise<{ account_id: number; username: string | null } | undefined> {
  const id = TOKEN.test(token) ? await find(db, hashOf(token)) : undefined;
  const holder = id === undefined ? undefined : await findOpenAccount(db, id);
  return holder && { account_id: holder.id, username: holder.username };
}

const remove = statement(
  'list-tokens-remove',
  { account_id: 'int8' },
  'DELETE FROM list_tokens WHERE account_id = $1 RETURNING account_id',
);

/** Every address of an account's lists ends; returns how many did. */
export const removeListTokens = async (db: Queryable, accountId: number): Promise<number> =>
  (await remove.run(db, [accountId])).length;

const hashOf = (token: string): Buffer => hash('sha256', token, 'buffer');
