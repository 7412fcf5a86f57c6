import { hash, timingSafeEqual } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../lib/clock.ts';
import { Refusal } from '../../../lib/fault.ts';
import type { ExactBuckets } from '../../../lib/token-buckets.ts';
import { inTime, READ_MS, writeInPassing } from '../../../storage/cache/in-time.ts';
import type { Queryable } from '../../../storage/db/pool.ts';
import { findAccountIdByUsername } from '../accounts.ts';
import { keyedHash, type MemberKeys } from '../keys.ts';
import { loginNetworkOf } from '../login/known-networks.ts';
import { type FailureLimits, LoginLimits, perfOf } from '../login/login-limits.ts';
import { NO_ACCOUNT_ID } from '../login/login-secrets.ts';
import {
  type AppSecretRow,
  appSecretHash,
  findAppSecret,
  listAppSecrets,
  noteAppUse,
  unsealAppPassword,
} from './app-passwords.ts';

/** How an app says who it is. */
export type AppCredentials =
  | { username: string; password: string }
  /** Subsonic's: the MD5 of the password and a salt that the app chose. */
  | { username: string; token: string; salt: string }
  /** A password without a name. */
  | { secret: string }
  /** What `sessionOf` made. */
  | { session: string };

export interface AppLogin {
  accountId: number;
  username: string;
  /** Which of the account's app passwords it was. */
  appId: number;
}

/** A revoked password works no longer than this anywhere. */
const KEPT_MS = 30_000;
const MAX_KEPT = 10_000;
/** Precision of the time that an owner is shown. */
const USED_WITHIN = { hours: 1 };
const SESSION_DAYS = 30;
const SESSION = /^(\d{1,16})\.(\d{1,16})\.(\d{1,12})\.([\w-]{43})$/;

interface AppLoginsDeps {
  db: Queryable;
  keys: MemberKeys;
  clock: Clock;
  limits?: FailureLimits;
  /** Counts wrong passwords over all processes. */
  buckets?: ExactBuckets | undefined;
}

/**
 * Checks app passwords, for every protocol that takes them. Wrong ones are counted by name and address as wrong passwords
 * are, but apart from them, and a right one is never refused: nobody guesses a password of 98 bits, and a forgotten
 * phone that sends a revoked one all day must not keep its owner's other apps out.
 */
export class AppLogins {
  readonly #deps: AppLoginsDeps;
  readonly #limits: LoginLimits;
  readonly #kept: LRUCache<string, AppLogin>;

  constructor(deps: AppLoginsDeps) {
    this.#deps = deps;
    this.#limits = new LoginLimits(deps.clock, deps.limits, { buckets: deps.buckets });
    this.#kept = new LRUCache({ max: MAX_KEPT, ttl: KEPT_MS, ttlResolution: 0, perf: perfOf(deps.clock) });
  }

  /** Undefined when they are wrong; throws a refusal when they were wrong too often. */
  async verify(credentials: AppCredentials, address: string): Promise<AppLogin | undefined> {
    const key = hash('sha256', JSON.stringify(credentials), 'base64');
    const kept = this.#kept.get(key);
    if (kept) return kept;
    const row = await inTime(() => this.#find(credentials), READ_MS);
    if (!row) {
      await this.#countWrong('username' in credentials ? credentials.username : '', address);
      return undefined;
    }
    const login = { accountId: row.account_id, username: row.username ?? '', appId: row.id };
    await this.#noteUse(row);
    this.#kept.set(key, login);
    return login;
  }

  /** For apps that keep a cookie. It ends with the password it was made for, and needs no table. */
  sessionOf({ accountId, appId }: AppLogin): string {
    const expires = Math.floor(this.#deps.clock.now().epochMilliseconds / 1000) + SESSION_DAYS * 86_400;
    const parts = [accountId, appId, expires].map(String);
    return [
      ...parts,
      keyedHash(this.#deps.keys.writing.code, 'app session', ...parts).toString('base64url'),
    ].join('.');
  }

  async #find(credentials: AppCredentials): Promise<AppSecretRow | undefined> {
    const { db } = this.#deps;
    if ('session' in credentials) return this.#findSession(credentials.session);
    if ('secret' in credentials) return findAppSecret(db, appSecretHash(spelled(credentials.secret)));
    const accountId = await findAccountIdByUsername(db, credentials.username);
    const rows = await listAppSecrets(db, accountId ?? NO_ACCOUNT_ID);
    const isRight =
      'token' in credentials
        ? (row: AppSecretRow) => this.#fitsToken(row, credentials)
        : hasHash(appSecretHash(spelled(credentials.password)));
    return rows.filter(isRight)[0];
  }

  #fitsToken(row: AppSecretRow, { token, salt }: { token: string; salt: string }): boolean {
    const secret = unsealAppPassword(this.#deps.keys, row);
    if (secret === undefined) return false;
    const expected = Buffer.from(hash('md5', secret + salt, 'hex'));
    const given = Buffer.from(token.toLowerCase());
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  async #findSession(text: string): Promise<AppSecretRow | undefined> {
    const { db, keys, clock } = this.#deps;
    const [, accountId = '', appId = '', expires = '', mac = ''] = SESSION.exec(text) ?? [];
    const given = Buffer.from(mac, 'base64url');
    const isOurs = keys.all.some(({ code }) => {
      const expected = keyedHash(code, 'app session', accountId, appId, expires);
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
    if (!isOurs || Number(expires) * 1000 < clock.now().epochMilliseconds) return undefined;
    return (await listAppSecrets(db, Number(accountId))).find(({ id }) => id === Number(appId));
  }

  async #noteUse({ secret_hash: secretHash, used_at: used }: AppSecretRow): Promise<void> {
    const { db, clock } = this.#deps;
    const now = clock.now();
    if (used && Temporal.Instant.compare(used.add(USED_WITHIN), now) > 0) return;
    await writeInPassing(() => noteAppUse(db, secretHash, now));
  }

  async #countWrong(username: string, address: string): Promise<void> {
    const network = loginNetworkOf(address);
    const attempt = {
      name: username.toLowerCase().slice(0, 100),
      network,
      address: isIPv6(address) ? network : address,
    };
    const taken = [await this.#limits.takeOfAddress(attempt)];
    if (attempt.name !== '') taken.push(await this.#limits.takeOfName(attempt, false));
    for (const each of taken) if (!(each instanceof Refusal)) each.settle(true);
    const refusal = taken.find((each) => each instanceof Refusal);
    if (refusal) throw refusal;
  }
}

const hasHash = (wanted: Buffer) => (row: AppSecretRow) => timingSafeEqual(row.secret_hash, wanted);

/** As it was shown, whatever a keyboard made of it. */
const spelled = (typed: string): string => typed.trim().toLowerCase();
