import { randomBytes, randomInt } from 'node:crypto';
import type { Pool } from 'pg';
import type { Queryable } from '../../../storage/db/pool.ts';
import { statement } from '../../../storage/db/statement.ts';
import { transaction } from '../../../storage/db/transaction.ts';
import { findAccountIdByUsername } from '../accounts.ts';
import type { MemberKeys, VersionedHash } from '../keys.ts';
import { type HashChange, NO_ACCOUNT_ID, offerPassword } from '../login/login-secrets.ts';
import { endSessions } from '../login/sessions.ts';

/** For reading aloud and typing with a remote control: no two of these look alike. */
const ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
/** The maximum length of a device password, some 59 bits: cannot be guessed while it is valid. */
const PASSWORD_LENGTH = 12;
export const MAILED_PASSWORD_HOURS = 24;

/** Random characters that cannot be confused with each other. */
export const randomCode = (length: number): string =>
  Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

export const newMailedPassword = (): string => randomCode(PASSWORD_LENGTH);

/**
 * The stored form under every accepted key, the one to store first. The password is long and random, so a keyed hash is
 * enough.
 */
export const mailedPasswordHashes = (
  keys: MemberKeys,
  accountId: number,
  password: string,
): [VersionedHash, ...VersionedHash[]] => keys.hashes('code', 'mailed password', String(accountId), password);

/** A new password for an owner who forgot theirs; replaces any earlier offer. */
export async function offerMailedPassword(
  db: Queryable,
  keys: MemberKeys,
  { id, now }: { id: number; now: Temporal.Instant },
): Promise<string> {
  const password = newMailedPassword();
  const until = now.add({ hours: MAILED_PASSWORD_HOURS });
  const [offered] = mailedPasswordHashes(keys, id, password);
  await offerPassword(db, { id, offered, until });
  return password;
}

const mailedRedeem = statement(
  'password-mailed-redeem',
  { id: 'int8' },
  `UPDATE accounts SET password_hash = CASE WHEN $5 THEN password_hash ELSE $3 END,
     site_password_hash = CASE WHEN $5 THEN $3 ELSE site_password_hash END, reset_hash = NULL, reset_until = NULL
   WHERE id = $1 AND reset_hash = $4 AND CASE WHEN $5 THEN site_password_hash ELSE password_hash END = $2 RETURNING id`,
);

/**
 * Makes a mailed password the account's password, uses it up, and signs the account out everywhere; false when the
 * password or the offer has changed meanwhile.
 */
export const redeemMailed = (
  pool: Pool,
  { id, from, to, isOfSite }: HashChange,
  offered: Buffer,
): Promise<boolean> =>
  transaction(pool, async (client) => {
    const changed = await mailedRedeem.run(client, [id, from, to, offered, isOfSite]);
    if (changed.length === 0) return false;
    await endSessions(client, id);
    return true;
  });

/** People read a mail within the hour, or request another. */
export const LINK_MINUTES = 60;
const TOKEN_BYTES = 32;

const linkHashes = (
  keys: MemberKeys,
  accountId: number,
  token: string,
): [VersionedHash, ...VersionedHash[]] => keys.hashes('code', 'password link', String(accountId), token);

/** The token of a link that lets its reader choose a new password; replaces any earlier offer. */
export async function offerLink(
  db: Queryable,
  keys: MemberKeys,
  { id, now }: { id: number; now: Temporal.Instant },
): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const until = now.add({ minutes: LINK_MINUTES });
  const [offered] = linkHashes(keys, id, token);
  await offerPassword(db, { id, offered, until });
  return token;
}

/** A link that is valid at this moment. */
interface OpenLink {
  accountId: number;
  hash: Buffer;
}

const linkFind = statement(
  'password-link-find',
  { id: 'int8', reset_hash: 'bytea?' },
  'SELECT id, reset_hash FROM accounts WHERE id = $1 AND reset_hash = ANY ($2::bytea[]) AND reset_until > $3',
);

/** Undefined for a used, expired or unknown link; takes as long for an unknown name. */
export async function findLink(
  db: Queryable,
  keys: MemberKeys,
  { username, token, now }: { username: string; token: string; now: Temporal.Instant },
): Promise<OpenLink | undefined> {
  const accountId = (await findAccountIdByUsername(db, username)) ?? NO_ACCOUNT_ID;
  const hashes = linkHashes(keys, accountId, token).map(({ hash }) => hash);
  const [found] = await linkFind.run(db, [accountId, hashes, now.toString()]);
  return found?.reset_hash ? { accountId, hash: found.reset_hash } : undefined;
}

const linkRedeem = statement(
  'password-link-redeem',
  { id: 'int8' },
  `UPDATE accounts SET site_password_hash = $4, reset_hash = NULL, reset_until = NULL
   WHERE id = $1 AND reset_hash = $2 AND reset_until > $3 RETURNING id`,
);

/** Sets the site password and signs the account out everywhere; false when the link was used concurrently. */
export const redeemLink = (
  pool: Pool,
  { accountId, hash }: OpenLink,
  { passwordHash, now }: { passwordHash: string; now: Temporal.Instant },
): Promise<boolean> =>
  transaction(pool, async (client) => {
    const changed = await linkRedeem.run(client, [accountId, hash, now.toString(), passwordHash]);
    if (changed.length === 0) return false;
    await endSessions(client, accountId);
    return true;
  });
