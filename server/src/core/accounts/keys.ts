import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { Fault } from '../../lib/fault.ts';

/** The keys derived from one secret, one per purpose. */
export interface KeySet {
  /** Counted from 1, the key that the database was first used with; stored with every hash. */
  version: number;
  /** Mixed into a password before it is hashed, so that a copy of the database alone reveals none. */
  password: KeyObject;
  serial: KeyObject;
  network: KeyObject;
  /** For pairing codes and passwords sent by mail. */
  code: KeyObject;
  /** Identifies reporters; separate from the others, so that reports cannot be correlated with accounts. */
  reporter: KeyObject;
  /** Seals app passwords, which are needed in plain (docs/adr/0023-app-passwords.md). */
  app: KeyObject;
  /** Distinguishes one secret from another; reveals nothing about it. */
  fingerprint: Buffer;
}

/** A hash and the version of the key it was made with. */
export interface VersionedHash {
  hash: Buffer;
  version: number;
}

/** Which keys the database knows. */
export interface KeyState {
  version: number;
  fingerprint: Buffer;
  /** The key before, while hashes made with it are accepted. */
  earlier: Buffer | undefined;
}

/** A shorter secret could be guessed. */
export const MIN_MEMBER_KEY_LENGTH = 32;
const KEY_BYTES = 32;

/**
 * The operator's secret and, while it is being replaced, the one before. Hashes are accepted under both; new ones are
 * made with the key that the database names, so that servers which were restarted with a new key and servers which were
 * not yet agree. `docs/accounts.md` has the steps.
 */
export class MemberKeys {
  /** The one to write with comes first. */
  #sets: readonly [KeySet, ...KeySet[]];
  #isForeign = false;

  constructor(secret: string, oldSecret?: string) {
    const [newest, old] = [derive(secret), oldSecret === undefined ? undefined : derive(oldSecret)];
    this.#sets = old === undefined || old.fingerprint.equals(newest.fingerprint) ? [newest] : [newest, old];
  }

  get writing(): KeySet {
    if (this.#isForeign)
      throw new Fault(
        503,
        'service.unavailable',
        'The operator has changed the key for accounts; this server has to be restarted with it',
      );
    return this.#sets[0];
  }

  /** All that are accepted, the one to write with first. */
  get all(): readonly KeySet[] {
    return this.#sets;
  }

  /** Keyed hashes of the same parts under every accepted key, the one to store first. */
  hashes(purpose: 'network' | 'code', ...parts: readonly string[]): [VersionedHash, ...VersionedHash[]] {
    const [first, ...others] = [this.writing, ...this.#sets.slice(1)].map((set) => ({
      hash: keyedHash(set[purpose], ...parts),
      version: set.version,
    }));
    if (!first) throw new Error('there is no key');
    return [first, ...others];
  }

  /** Takes the versions from the database; returns whether its key is one of these. */
  follow({ version, fingerprint, earlier }: KeyState): boolean {
    const current = this.#sets.find((set) => set.fingerprint.equals(fingerprint));
    this.#isForeign = current === undefined;
    if (!current) return false;
    const others = this.#sets.filter((set) => set !== current);
    this.#sets = [
      { ...current, version },
      ...others.map((set) => ({
        ...set,
        // Either the key before, or one that the operator prepares as the next.
        version: earlier?.equals(set.fingerprint) ? version - 1 : version + 1,
      })),
    ];
    return true;
  }
}

export const memberKeys = (secret: string, oldSecret?: string): MemberKeys =>
  new MemberKeys(secret, oldSecret);

function derive(secret: string): KeySet {
  const bytes = (purpose: string): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, 'longwave members', purpose, KEY_BYTES));
  const key = (purpose: string): KeyObject => createSecretKey(bytes(purpose));
  return {
    version: 1,
    password: key('password'),
    serial: key('serial'),
    network: key('network'),
    code: key('code'),
    reporter: key('reporter'),
    app: key('app password'),
    fingerprint: bytes('fingerprint'),
  };
}

/** A hash that nobody can compute or verify without the key. The parts are delimited unambiguously. */
export function keyedHash(key: KeyObject, ...parts: readonly string[]): Buffer {
  const hmac = createHmac('sha256', key);
  for (const part of parts) hmac.update(`${Buffer.byteLength(part)}:${part}`);
  return hmac.digest();
}
