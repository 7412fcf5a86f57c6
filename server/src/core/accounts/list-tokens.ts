import { hash, randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import type { Queryable } from '../../storage/db/pool.ts';
import { statement } from '../../storage/db/statement.ts';
import { transaction } from '../../storage/db/transaction.ts';
import { lockAccount } from './accounts.ts';

/** One for each player, and some that were given away. */
export const MAX_LIST_TOKENS = 10;
const TOKEN_BYTES = 24;
/** Makes a token recognisable to people who find it in a file, and to secret scanners. */
const TOKEN_PREFIX = 'lwl_';
const TOKEN = new RegExp(`^${TOKEN_PREFIX}[\\w-]{32}$`);

const add = statement(
  'list-token-add',
  { account_id: 'int8' },
  `INSERT INTO list_tokens (token_hash, account_id)
   SELECT $2, id FROM accounts WHERE id = $1
     AND (SELECT count(*) FROM list_tokens WHERE account_id = $1) < ${MAX_LIST_TOKENS}
   RETURNING account_id`,
);

/** A new secret for the address of an account's list, which cannot be shown again; undefined when it has enough of them. */
export async function addListToken(pool: Pool, accountId: number): Promise<string | undefined> {
  const token = TOKEN_PREFIX + randomBytes(TOKEN_BYTES).toString('base64url');
  const added = await transaction(pool, async (client) => {
    // Two at once would each count those that were there before.
    await lockAccount(client, accountId);
    return add.run(client, [accountId, hashOf(token)]);
  });
  return added.length > 0 ? token : undefined;
}

const find = statement(
  'list-token-find',
  { account_id: 'int8', username: 'text?' },
  `SELECT t.account_id, a.username FROM list_tokens AS t
   CROSS JOIN LATERAL (SELECT username FROM accounts WHERE id = t.account_id AND closed_at IS NULL LIMIT 1) AS a
   WHERE t.token_hash = $1`,
).first((tokenHash: Buffer) => [tokenHash]);

/** Whose list it is; undefined for a token that nobody has, and for that of a closed account. */
export const findListOwner = async (db: Queryable, token: string): ReturnType<typeof find> =>
  TOKEN.test(token) ? find(db, hashOf(token)) : undefined;

const remove = statement(
  'list-tokens-remove',
  { account_id: 'int8' },
  'DELETE FROM list_tokens WHERE account_id = $1 RETURNING account_id',
);

/** Every address of an account's lists ends; returns how many did. */
export const removeListTokens = async (db: Queryable, accountId: number): Promise<number> =>
  (await remove.run(db, [accountId])).length;

const hashOf = (token: string): Buffer => hash('sha256', token, 'buffer');
