import { hash, randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import type { Queryable } from '../../storage/db/pool.ts';
import { statement } from '../../storage/db/statement.ts';
import { transaction } from '../../storage/db/transaction.ts';

// Operators are accounts that look after the installation: they see all its radios and how it is doing.

/** Whoever installs it may make an account first, or come back in the evening. */
export const OPERATOR_LINK_HOURS = 24;
const TOKEN_BYTES = 32;

/** The token is long and random, so that an unkeyed hash reveals nothing about it. */
const hashOf = (token: string): Buffer => hash('sha256', `operator ${token}`, 'buffer');

const offer = statement(
  'operator-link-offer',
  {},
  `WITH over AS (DELETE FROM operator_links)
   INSERT INTO operator_links (token_hash, expires_at) VALUES ($1, now() + interval '${OPERATOR_LINK_HOURS} hours')`,
);

/** The token of a link that makes its first reader an operator; earlier links end. */
export async function offerOperatorLink(db: Queryable): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  await offer.run(db, [hashOf(token)]);
  return token;
}

const use = statement(
  'operator-link-use',
  { token_hash: 'bytea' },
  'DELETE FROM operator_links WHERE token_hash = $1 AND expires_at > now() RETURNING token_hash',
);
const add = statement(
  'operator-add',
  {},
  'INSERT INTO operators (account_id) VALUES ($1) ON CONFLICT DO NOTHING',
);

/** False for a link that was used, has expired, or was replaced by a newer one. */
export const redeemOperatorLink = (pool: Pool, accountId: number, token: string): Promise<boolean> =>
  transaction(pool, async (client) => {
    const used = await use.run(client, [hashOf(token)]);
    if (used.length === 0) return false;
    await add.run(client, [accountId]);
    return true;
  });

export const makeOperator = async (db: Queryable, accountId: number): Promise<void> => {
  await add.run(db, [accountId]);
};

export const isOperator = statement(
  'operator-find',
  { account_id: 'int8' },
  'SELECT account_id FROM operators JOIN accounts ON accounts.id = account_id WHERE account_id = $1 AND closed_at IS NULL',
).exists((accountId: number) => [accountId]);

export const hasOperator = statement(
  'operator-any',
  { account_id: 'int8' },
  'SELECT account_id FROM operators JOIN accounts ON accounts.id = account_id WHERE closed_at IS NULL LIMIT 1',
).exists();
