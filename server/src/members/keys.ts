import { type KeyObject, createHmac, createSecretKey, hkdfSync } from 'node:crypto';

/** What the operator's one secret is good for, each with a key of its own. */
export interface MemberKeys {
  /** Goes into a password before it is hashed, so that a copy of the database alone gives none away. */
  password: KeyObject;
  serial: KeyObject;
  network: KeyObject;
  /** Pairing codes and passwords sent by mail. */
  code: KeyObject;
  /** Who reports; apart from the others, so that what is said cannot be laid beside what is saved. */
  reporter: KeyObject;
  /** Tells one secret from another; says nothing about it. */
  fingerprint: Buffer;
}

/** A shorter one could be guessed. */
export const SHORTEST_MEMBER_KEY = 32;
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

/** A hash that nobody can make or check without the key. The parts cannot run into each other. */
export function keyedHash(key: KeyObject, ...parts: readonly string[]): Buffer {
  const hmac = createHmac('sha256', key);
  for (const part of parts) hmac.update(`${Buffer.byteLength(part)}:${part}`);
  return hmac.digest();
}
