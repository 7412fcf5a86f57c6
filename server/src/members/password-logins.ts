import { timingSafeEqual } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';
import type { Clock } from '../lib/clock.ts';
import { Refusal } from '../lib/refusal.ts';
import { type MemberKeys, keyedHash } from './keys.ts';
import { networkHash, networkOf, rememberNetwork } from './known-networks.ts';
import { type Attempt, type Attempted, type FailureLimits, LoginLimits, perfOf } from './login-limits.ts';
import { type LoginSecrets, changePasswordHash, findLoginSecrets } from './login-secrets.ts';
import type { Credentials, Door, Logins, Verified } from './logins.ts';
import { mailedPasswordHash, redeemMailed } from './password-by-mail.ts';
import { busy } from './password-workers.ts';
import type { Passwords } from './passwords.ts';

export interface PasswordLoginsNeeds {
  pool: Pool;
  keys: MemberKeys;
  clock: Clock;
  passwords: Passwords;
  limits?: FailureLimits;
  /** How long who comes while others are looked at waits for those. */
  waitMs?: number;
  /** A password that was mailed or that the operator made was used, and is the account's from now on. */
  onChanged?: (accountId: number) => void;
}

const VERIFIED_MS = 5 * 60_000;
const MOST_VERIFIED = 20_000;

/** One call's credentials. */
interface Check {
  attempt: Attempt;
  door: Door;
  password: string;
  networkHash: Buffer;
  /** Names exactly this: the door, the name, the password and from where; tells none of them. */
  key: string;
}

/**
 * The one door for passwords. A name that nobody has takes the same reads, the same hash and the same limits. A password
 * that was right is known for five minutes, as long as the stored hash is the one it fitted.
 */
export class PasswordLogins implements Logins {
  readonly #needs: PasswordLoginsNeeds;
  readonly #limits: LoginLimits;
  /** What was right lately, with the stored hash that it fitted. */
  readonly #verified: LRUCache<string, string>;
  /** A device asks for several things at once: the same credentials are checked once, and count once. */
  readonly #pending = new Map<string, Promise<Verified | undefined>>();

  constructor(needs: PasswordLoginsNeeds) {
    const { clock, limits, waitMs } = needs;
    this.#needs = needs;
    this.#limits = new LoginLimits(clock, limits, waitMs);
    this.#verified = new LRUCache({
      max: MOST_VERIFIED,
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

  #checkOf({ username, password, address, door = 'radio' }: Credentials): Check {
    const { keys } = this.#needs;
    const name = username.toLowerCase();
    const network = networkOf(address);
    // An IPv6 subscriber has a whole network of addresses to call from.
    const attempt = { name, network, address: isIPv6(address) ? network : address };
    const key = keyedHash(keys.password, 'verified', door, name, password, network).toString('base64');
    return { attempt, door, password, networkHash: networkHash(keys, network), key };
  }

  async #check(check: Check): Promise<Verified | undefined> {
    const attempted = await this.#limits.takeOfAddress(check.attempt);
    if (attempted instanceof Refusal) return this.#spare(check, attempted);
    return settling(attempted, async () => {
      // Who cannot be looked at anyway costs the database nothing; who was right lately needs no hash.
      if (this.#isBusyFor(check)) throw busy();
      return this.#look(check, await this.#read(check));
    });
  }

  /**
   * Where too many passwords were wrong from an address, those who signed in from its network before still come in: many
   * share one. A wrong one is answered like that of a name which nobody knows there, and as late.
   */
  async #spare(check: Check, refusal: Refusal): Promise<Verified> {
    const startMs = this.#needs.clock.elapsedMs();
    const verified = await this.#lookIfKnown(check).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
    });
    if (verified) return verified;
    throw refusal.heldFor(this.#needs.clock.elapsedMs() - startMs);
  }

  async #lookIfKnown(check: Check): Promise<Verified | undefined> {
    const secrets = await this.#read(check);
    return secrets?.is_known && !this.#isBusyFor(check) ? this.#look(check, secrets) : undefined;
  }

  #isBusyFor({ key }: Check): boolean {
    return this.#needs.passwords.isFull && !this.#verified.has(key);
  }

  /** Limits come before what is known to be right: otherwise who guesses would still learn when a guess is. */
  async #look(check: Check, secrets: LoginSecrets | undefined): Promise<Verified | undefined> {
    const attempted = await this.#limits.takeOfName(check.attempt, secrets?.is_known ?? false);
    if (attempted instanceof Refusal) throw attempted;
    return settling(attempted, () => this.#compare(check, secrets));
  }

  async #compare(check: Check, secrets: LoginSecrets | undefined): Promise<Verified | undefined> {
    const { door, password, key } = check;
    const stored = storedFor(door, secrets);
    if (secrets && stored !== undefined && this.#verified.get(key) === stored)
      return { accountId: secrets.id, passwordHash: stored };
    const isRight = await this.#needs.passwords.fits(password, stored);
    if (!isRight && !this.#fitsMailed(check, secrets)) return undefined;
    return secrets && this.#welcome(check, secrets, isRight);
  }

  #read({ attempt: { name }, networkHash: hash }: Check): Promise<LoginSecrets | undefined> {
    const { pool, clock } = this.#needs;
    return findLoginSecrets(pool, { name, networkHash: hash, now: clock.now() });
  }

  #fitsMailed({ password }: Check, secrets: LoginSecrets | undefined): boolean {
    const { keys, clock } = this.#needs;
    const hash = mailedPasswordHash(keys, secrets?.id ?? 0, password);
    const offered = secrets?.reset_hash ?? undefined;
    if (!secrets?.reset_until || offered?.length !== hash.length) return false;
    const isInTime = Temporal.Instant.compare(clock.now(), secrets.reset_until) < 0;
    return timingSafeEqual(hash, offered) && isInTime;
  }

  /** A mailed password becomes the password; one kept in an older way is kept in the present one. */
  async #welcome(check: Check, secrets: LoginSecrets, isStored: boolean): Promise<Verified | undefined> {
    const { pool, passwords, clock } = this.#needs;
    const { id: accountId } = secrets;
    const from = storedFor(check.door, secrets);
    if (from === undefined) return undefined;
    await rememberNetwork(pool, { accountId, hash: check.networkHash, now: clock.now() });
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
    const { pool, passwords, onChanged } = this.#needs;
    const { id, reset_hash: offered } = secrets;
    if (!offered) return undefined;
    const to = await passwords.hash(password);
    const change = { id, from, to, isOfSite: from === secrets.site_password_hash };
    if (!(await redeemMailed(pool, change, offered))) return undefined;
    onChanged?.(id);
    return { accountId: id, passwordHash: to };
  }
}

/** What is not right takes from the limits; what could not be looked at does not. */
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

/** What a password is held against. An account that its owner closed opens at the site alone. */
function storedFor(door: Door, secrets: LoginSecrets | undefined): string | undefined {
  if (!secrets || (door === 'radio' && secrets.is_closed)) return undefined;
  const { site_password_hash: ofSite, password_hash: ofDevices } = secrets;
  return (door === 'site' ? (ofSite ?? ofDevices) : ofDevices) ?? undefined;
}
