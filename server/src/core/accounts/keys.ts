import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import type { Queryable } from '../../storage/db/pool.ts';
import { statement } from '../../storage/db/statement.ts';

/** The keys derived from the operator's one secret, one per purpose. */
export interface MemberKeys {
  /** Mixed into a password before it is hashed, so that a copy of the database alone reveals none. */
  password: KeyObject;
  serial: KeyObject;
  network: KeyObject;
  /** For pairing codes and passwords sent by mail. */
  code: KeyObject;
  /** Identifies reporters; separate from the others, so that reports cannot be correlated with accounts. */
  reporter: KeyObject;
  /** Distinguishes one secret from another; reveals nothing about it. */
  fingerprint: Buffer;
}

/** A shorter secret could be guessed. */
export const MIN_MEMBER_KEY_LENGTH = 32;
const KEY_BYTES = 32;

export function memberKeys(secret: string): MemberKeys {
  const derive = (purpose: string): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, 'longwave members', purpose, KEY_BYTES));
  const key = (purpose: string): KeyObject => createSecretKey(derive(purpose));
  return {
    password: key('password'),
    serial: key('serial'),
    network: key('network'),
    code: key('code'),
    reporter: key('reporter'),
    fingerprint: derive('fingerprint'),
  };
}

/** A hash that nobody can compute or verify without the key. The parts are delimited unambiguously. */
export function keyedHash(key: KeyObject, ...parts: readonly string[]): Buffer {
  const hmac = createHmac('sha256', key);
  for (const part of parts) hmac.update(`${Buffer.byteLength(part)}:${part}`);
  return hmac.digest();
}

const keep = statement(
  'member-key-keep',
  {},
  'INSERT INTO member_key (fingerprint) VALUES ($1) ON CONFLICT DO NOTHING',
);
const storedKey = statement('member-key', { fingerprint: 'bytea' }, 'SELECT fingerprint FROM member_key');

/** Rejects a key other than the one this database's hashes were made with; the first key used is recorded. */
export async function requireSameKey(db: Queryable, { fingerprint }: MemberKeys): Promise<void> {
  // A read-only database, as after a failover that is half done, must not keep the service from starting.
  const [known] = await storedKey.run(db, []);
  if (!known) await keep.run(db, [fingerprint]);
  const [first] = known ? [known] : await storedKey.run(db, []);
  if (first?.fingerprint.equals(fingerprint)) return;
  throw new Error(
    'MEMBER_KEY is not the key this database was used with: no password and no device would be recognised. ' +
      'Set the key that belongs to it, or unset MEMBER_KEY to serve without accounts.',
  );
}

/** Whether this database was used with another key; writes nothing. */
export async function isOtherKey(db: Queryable, { fingerprint }: MemberKeys): Promise<boolean> {
  const [first] = await storedKey.run(db, []);
  return first !== undefined && !first.fingerprint.equals(fingerprint);
}
