import type { Queryable } from '../../../storage/db/pool.ts';
import { type RowOf, statement } from '../../../storage/db/statement.ts';
import { findAccountIdByUsername } from '../accounts.ts';
import type { VersionedHash } from '../keys.ts';
import { KNOWN_DAYS } from './known-networks.ts';

const COLUMNS = {
  id: 'int8',
  password_hash: 'text?',
  site_password_hash: 'text?',
  is_closed: 'bool',
  reset_hash: 'bytea?',
  reset_until: 'timestamptz?',
  is_known: 'bool',
} as const;

export type LoginSecrets = RowOf<typeof COLUMNS>;

const secretsOf = statement(
  'login-secrets',
  COLUMNS,
  `SELECT id, password_hash, site_password_hash, closed_at IS NOT NULL AS is_closed, reset_hash, reset_until,
     EXISTS (SELECT FROM known_networks AS known WHERE known.account_id = $1
       AND known.network_hash = ANY ($2::bytea[]) AND known.seen_at > $3::timestamptz - interval '${KNOWN_DAYS} days') AS is_known
   FROM accounts WHERE id = $1`,
);

/** No account has this id: it is read for unknown names, so that they take as long. */
export const NO_ACCOUNT_ID = 0;

/** The hashes to check a name's password against, and whether its owner signed in from this network before. */
export async function findLoginSecrets(
  db: Queryable,
  { name, networkHashes, now }: { name: string; networkHashes: readonly Buffer[]; now: Temporal.Instant },
): Promise<LoginSecrets | undefined> {
  const id = await findAccountIdByUsername(db, name);
  const [secrets] = await secretsOf.run(db, [id ?? NO_ACCOUNT_ID, networkHashes, now.toString()]);
  return secrets;
}

const change = statement(
  'password-change',
  { id: 'int8' },
  'UPDATE accounts SET password_hash = $2 WHERE id = $1 AND password_hash = $3 RETURNING id',
);

const changeOfSite = statement(
  'site-password-change',
  { id: 'int8' },
  'UPDATE accounts SET site_password_hash = $2 WHERE id = $1 AND site_password_hash = $3 RETURNING id',
);

export interface HashChange {
  id: number;
  from: string;
  to: string;
  isOfSite: boolean;
}

/** Replaces a hash that was read before; false when it has changed meanwhile. */
export async function changePasswordHash(
  db: Queryable,
  { id, from, to, isOfSite }: HashChange,
): Promise<boolean> {
  const changed = await (isOfSite ? changeOfSite : change).run(db, [id, to, from]);
  return changed.length > 0;
}

/** Sets the password for the site. */
export const setSitePassword = statement(
  'site-password-set',
  {},
  'UPDATE accounts SET site_password_hash = $2, reset_hash = NULL, reset_until = NULL WHERE id = $1',
).command((id: number, hash: string) => [id, hash]);
/** Sets the password for radios. */
export const setDevicePassword = statement(
  'device-password-set',
  {},
  'UPDATE accounts SET password_hash = $2 WHERE id = $1',
).command((id: number, hash: string) => [id, hash]);

/** Stored while an account has no device password: no password matches it. */
export const NO_PASSWORD = 'none';

/** A mailed password or link: valid once, until it expires; the current password stays valid meanwhile. */
export const offerPassword = statement(
  'password-reset',
  {},
  'UPDATE accounts SET reset_hash = $2, reset_until = $3, reset_key_version = $4 WHERE id = $1',
).command(({ id, offered, until }: { id: number; offered: VersionedHash; until: Temporal.Instant }) => [
  id,
  offered.hash,
  until.toString(),
  offered.version,
]);
