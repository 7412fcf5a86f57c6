import { timingSafeEqual } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';
import type { Clock } from '../../../lib/clock.ts';
import { Refusal } from '../../../lib/fault.ts';
import type { ExactBuckets } from '../../../lib/token-buckets.ts';
import { keyedHash, type MemberKeys, type VersionedHash } from '../keys.ts';
import { mailedPasswordHashes, redeemMailed } from '../mail/password-by-mail.ts';
import { networkHashes, loginNetworkOf, rememberNetwork } from './known-networks.ts';
import { type Attempt, type Attempted, type FailureLimits, LoginLimits, perfOf } from './login-limits.ts';
import { changePasswordHash, findLoginSecrets, type LoginSecrets } from './login-secrets.ts';
import { busy, type Passwords } from './passwords.ts';

/** Checks a name and a password. */
export interface Logins {
  /**
   * The account, or undefined when name and password do not match, in the same time whether the name exists or not.
   * Throws a fault with a time to wait when there are too many concurrent attempts or too many wrong ones.
   */
  verify(credentials: Credentials): Promise<Verified | undefined>;
}

export interface Verified {
  accountId: number;
  /** The stored hash that the password matched: an operation that outlives this call compares it again. */
  passwordHash: string;
}

interface Credentials {
  username: string;
  password: string;
  /** The caller's address as the service saw it itself; never from a header. */
  address: string;
  /** Which of an account's two passwords is meant; the radio's by default. Wrong ones are counted together. */
  place?: LoginPlace | undefined;
}

/**
 * A radio sends the device password, short and often unencrypted. The site has a password of its own; while an account
 * has none, the device password works at the site too.
 */
type LoginPlace = 'radio' | 'site';

interface PasswordLoginsDeps {
  pool: Pool;
  keys: MemberKeys;
  clock: Clock;
  passwords: Passwords;
  limits?: FailureLimits;
  /** How long an attempt waits for other attempts in progress. */
  waitMs?: number;
  /** Counts wrong passwords over all processes. */
  buckets?: ExactBuckets | undefined;
  /** A password that was mailed or set by the operator was used, and is the account's password from now on. */
  onChanged?: (accountId: number) => void;
}

const VERIFIED_MS = 5 * 60_000;
const MAX_VERIFIED = 20_000;

/** One call's credentials. */
interface Check {
  attempt: Attempt;
  place: LoginPlace;
  password: string;
  networkHashes: [VersionedHash, ...VersionedHash[]];
  /** Identifies the kind of login, the name, the password and the origin without revealing any of them. */
  key: string;
}

/**
 * The only code that checks passwords. An unknown name takes the same reads, the same hash and the same limits. A
 * correct password is cached for five minutes, as long as the stored hash stays the same.
 */
export class PasswordLogins implements Logins {
  readonly #deps: PasswordLoginsDeps;
  readonly #limits: LoginLimits;
  /** Recently verified credentials, with the stored hash that they matched. */
  readonly #verified: LRUCache<string, string>;
  /** A device sends several requests concurrently: the same credentials are checked once, and count once. */
  readonly #pending = new Map<string, Promise<Verified | undefined>>();

  constructor(deps: PasswordLoginsDeps) {
    const { clock, limits, waitMs, buckets } = deps;
    this.#deps = deps;
    this.#limits = new LoginLimits(clock, limits, { waitMs, buckets });
    this.#verified = new LRUCache({
      max: MAX_VERIFIED,
      ttl: VERIFIED_MS,
      ttlResolution: 0,
      perf: perfOf(clock),
    });
  }

  async verify(credentials: Credentials): Promise<Verified | undefined> {
    const check = this.#checkOf(credentials);
    const { key } = check;
    const pending = this.#pending.get(key) ?? this.#check(check).finally(() => this.#pending.delete(key));
    this.#pending.set(key, pending);
    return pending;
  }

  #checkOf({ username, password, address, place = 'radio' }: Credentials): Check {
    const { keys } = this.#deps;
    const name = username.toLowerCase();
    const network = loginNetworkOf(address);
    // An IPv6 subscriber can call from a whole network of addresses.
    const attempt = { name, network, address: isIPv6(address) ? network : address };
    const key = keyedHash(keys.writing.password, 'verified', place, name, password, network).toString(
      'base64',
    );
    return { attempt, place, password, networkHashes: networkHashes(keys, network), key };
  }

  async #check(check: Check): Promise<Verified | undefined> {
    const attempted = await this.#limits.takeOfAddress(check.attempt);
    if (attempted instanceof Refusal) return this.#admitKnown(check, attempted);
    return settling(attempted, async () => {
      // Refuse before querying the database when no hash could be computed; recently verified credentials need no hash.
      if (this.#isBusyFor(check)) throw busy();
      return this.#look(check, await this.#read(check));
    });
  }

  /**
   * When an address exceeded its limit, accounts that signed in from its network before are still admitted: many people
   * share one address. A wrong password gets the same response, after the same time, as a name unknown in that network.
   */
  async #admitKnown(check: Check, refusal: Refusal): Promise<Verified> {
    const startMs = this.#deps.clock.elapsedMs();
    const verified = await this.#lookIfKnown(check).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
    });
    if (verified) return verified;
    throw refusal.heldFor(this.#deps.clock.elapsedMs() - startMs);
  }

  async #lookIfKnown(check: Check): Promise<Verified | undefined> {
    const secrets = await this.#read(check);
    return secrets?.is_known && !this.#isBusyFor(check) ? this.#look(check, secrets) : undefined;
  }

  #isBusyFor({ key }: Check): boolean {
    return this.#deps.passwords.isFull && !this.#verified.has(key);
  }

  /** Limits come before the cache of verified logins: otherwise an attacker would still learn when a guess is right. */
  async #look(check: Check, secrets: LoginSecrets | undefined): Promise<Verified | undefined> {
    const attempted = await this.#limits.takeOfName(check.attempt, secrets?.is_known ?? false);
    if (attempted instanceof Refusal) throw attempted;
    return settling(attempted, () => this.#compare(check, secrets));
  }

  async #compare(check: Check, secrets: LoginSecrets | undefined): Promise<Verified | undefined> {
    const { place, password, key } = check;
    const stored = storedFor(place, secrets);
    if (secrets && stored !== undefined && this.#verified.get(key) === stored)
      return { accountId: secrets.id, passwordHash: stored };
    const isRight = await this.#deps.passwords.fits(password, stored);
    if (!isRight && !this.#fitsMailed(check, secrets)) return undefined;
    return secrets && this.#accept(check, secrets, isRight);
  }

  #read({ attempt: { name }, networkHashes: hashes }: Check): Promise<LoginSecrets | undefined> {
    const { pool, clock } = this.#deps;
    return findLoginSecrets(pool, { name, networkHashes: hashes.map(({ hash }) => hash), now: clock.now() });
  }

  #fitsMailed({ password }: Check, secrets: LoginSecrets | undefined): boolean {
    const { keys, clock } = this.#deps;
    const hashes = mailedPasswordHashes(keys, secrets?.id ?? 0, password);
    const offered = secrets?.reset_hash ?? undefined;
    if (!secrets?.reset_until || offered?.length !== hashes[0].hash.length) return false;
    const isInTime = Temporal.Instant.compare(clock.now(), secrets.reset_until) < 0;
    return hashes.some(({ hash }) => timingSafeEqual(hash, offered)) && isInTime;
  }

  /** A mailed password becomes the account's password; a hash of an older format is replaced by a current one. */
  async #accept(check: Check, secrets: LoginSecrets, isStored: boolean): Promise<Verified | undefined> {
    const { pool, passwords, clock } = this.#deps;
    const { id: accountId } = secrets;
    const from = storedFor(check.place, secrets);
    if (from === undefined) return undefined;
    await rememberNetwork(pool, { accountId, stored: check.networkHashes[0], now: clock.now() });
    if (!isStored) return this.#redeem(check, secrets, from);
    if (passwords.isOld(from)) {
      const to = await passwords.hash(check.password);
      const change = { id: accountId, from, to, isOfSite: from === secrets.site_password_hash };
      return { accountId, passwordHash: (await changePasswordHash(pool, change)) ? to : from };
    }
    this.#verified.set(check.key, from);
    return { accountId, passwordHash: from };
  }

  async #redeem({ password }: Check, secrets: LoginSecrets, from: string): Promise<Verified | undefined> {
    const { pool, passwords, onChanged } = this.#deps;
    const { id, reset_hash: offered } = secrets;
    if (!offered) return undefined;
    const to = await passwords.hash(password);
    const change = { id, from, to, isOfSite: from === secrets.site_password_hash };
    if (!(await redeemMailed(pool, change, offered))) return undefined;
    onChanged?.(id);
    return { accountId: id, passwordHash: to };
  }
}

/** Wrong passwords count against the limits; failed checks do not. */
async function settling(
  { settle }: Attempted,
  look: () => Promise<Verified | undefined>,
): Promise<Verified | undefined> {
  let isWrong = false;
  try {
    const verified = await look();
    isWrong = verified === undefined;
    return verified;
  } finally {
    settle(isWrong);
  }
}

/** The hash to check a password against. A closed account can only be opened at the site. */
function storedFor(place: LoginPlace, secrets: LoginSecrets | undefined): string | undefined {
  if (!secrets || (place === 'radio' && secrets.is_closed)) return undefined;
  const { site_password_hash: ofSite, password_hash: ofDevices } = secrets;
  return (place === 'site' ? (ofSite ?? ofDevices) : ofDevices) ?? undefined;
}
