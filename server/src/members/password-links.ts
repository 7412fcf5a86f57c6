import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import type { Queryable } from '../db/pool.ts';
import { statement } from '../db/statement.ts';
import { transaction } from '../db/transaction.ts';
import { type MemberKeys, keyedHash } from './keys.ts';
import { NOBODY, offerPassword } from './login-secrets.ts';
import { endSessions } from './sessions.ts';
import { findAccountIdByUsername } from './usernames.ts';

/** A mail is read within the hour, or asked for again. */
export const LINK_MINUTES = 60;
const TOKEN_BYTES = 32;

const hashOf = (keys: MemberKeys, accountId: number, token: string): Buffer =>
  keyedHash(keys.code, 'password link', String(accountId), token);

/** What a link holds whose reader may choose a new password; it takes the place of whatever was offered before. */
export async function offerLink(
  db: Queryable,
  keys: MemberKeys,
  { id, now }: { id: number; now: Temporal.Instant },
): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const until = now.add({ minutes: LINK_MINUTES });
  await offerPassword(db, { id, hash: hashOf(keys, id, token), until });
  return token;
}

/** A link that is good at this moment. */
export interface OpenLink {
  accountId: number;
  hash: Buffer;
}

const find = statement(
  'password-link-find',
  { id: 'int8' },
  'SELECT id FROM accounts WHERE id = $1 AND reset_hash = $2 AND reset_until > $3',
);

/** Undefined for one that was used, is too old, or never was; it takes as long for a name that nobody has. */
export async function findLink(
  db: Queryable,
  keys: MemberKeys,
  { username, token, now }: { username: string; token: string; now: Temporal.Instant },
): Promise<OpenLink | undefined> {
  const accountId = (await findAccountIdByUsername(db, username)) ?? NOBODY;
  const hash = hashOf(keys, accountId, token);
  const [found] = await find.run(db, [accountId, hash, now.toString()]);
  return found && { accountId, hash };
}

const redeem = statement(
  'password-link-redeem',
  { id: 'int8' },
  `UPDATE accounts SET site_password_hash = $4, reset_hash = NULL, reset_until = NULL
   WHERE id = $1 AND reset_hash = $2 AND reset_until > $3 RETURNING id`,
);

/** Sets the site's password and signs the account out everywhere; false when somebody was faster with the same link. */
export const redeemLink = (
  pool: Pool,
  { accountId, hash }: OpenLink,
  { passwordHash, now }: { passwordHash: string; now: Temporal.Instant },
): Promise<boolean> =>
  transaction(pool, async (client) => {
    const changed = await redeem.run(client, [accountId, hash, now.toString(), passwordHash]);
    if (changed.length === 0) return false;
    await endSessions(client, accountId);
    return true;
  });
