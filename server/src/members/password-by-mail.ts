import { randomInt } from 'node:crypto';
import type { Pool } from 'pg';
import type { Queryable } from '../db/pool.ts';
import { statement } from '../db/statement.ts';
import { transaction } from '../db/transaction.ts';
import { type MemberKeys, keyedHash } from './keys.ts';
import { type HashChange, offerPassword } from './login-secrets.ts';
import { endSessions } from './sessions.ts';

/** Read aloud and typed in with a remote control: none of these looks like another. */
const ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
/** As long as a password may be, some 59 bits: nobody guesses it within its hours. */
const PASSWORD_LENGTH = 12;
export const MAILED_PASSWORD_HOURS = 24;

/** Random characters that cannot be mistaken for each other. */
export const randomCode = (length: number): string =>
  Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

export const newMailedPassword = (): string => randomCode(PASSWORD_LENGTH);

/** As it is kept. It is long and random, so that a keyed hash is enough. */
export const mailedPasswordHash = (keys: MemberKeys, accountId: number, password: string): Buffer =>
  keyedHash(keys.code, 'mailed password', String(accountId), password);

/** A new password for who forgot theirs; it takes the place of whatever was offered before. */
export async function offerMailedPassword(
  db: Queryable,
  keys: MemberKeys,
  { id, now }: { id: number; now: Temporal.Instant },
): Promise<string> {
  const password = newMailedPassword();
  const until = now.add({ hours: MAILED_PASSWORD_HOURS });
  await offerPassword(db, { id, hash: mailedPasswordHash(keys, id, password), until });
  return password;
}

const redeem = statement(
  'password-mailed-redeem',
  { id: 'int8' },
  `UPDATE accounts SET password_hash = CASE WHEN $5 THEN password_hash ELSE $3 END,
     site_password_hash = CASE WHEN $5 THEN $3 ELSE site_password_hash END, reset_hash = NULL, reset_until = NULL
   WHERE id = $1 AND reset_hash = $4 AND CASE WHEN $5 THEN site_password_hash ELSE password_hash END = $2 RETURNING id`,
);

/**
 * A mailed password becomes the password, is used up, and signs the account out everywhere; false when the password or
 * what was offered has changed meanwhile.
 */
export const redeemMailed = (
  pool: Pool,
  { id, from, to, isOfSite }: HashChange,
  offered: Buffer,
): Promise<boolean> =>
  transaction(pool, async (client) => {
    const changed = await redeem.run(client, [id, from, to, offered, isOfSite]);
    if (changed.length === 0) return false;
    await endSessions(client, id);
    return true;
  });
