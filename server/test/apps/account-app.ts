import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { type AccountDeps, accountEndpoints } from '../../src/protocols/radiotime/account/account.ts';
import { parseNetwork } from '../../src/net/http/caller/addresses.ts';
import type { MemberAccess } from '../../src/core/accounts/member-access.ts';
import { memberKeys } from '../../src/core/accounts/keys.ts';
import type { FailureLimits } from '../../src/core/accounts/login/login-limits.ts';
import { addPartner, listPartners } from '../../src/core/accounts/partners/partners.ts';
import { PasswordLogins } from '../../src/core/accounts/login/password-logins.ts';
import { Passwords } from '../../src/core/accounts/login/passwords.ts';
import { type TestDatabase, testDatabaseWithPlaces } from '../database/database.ts';
import { testApp } from './http-server.ts';
import { ManualClock } from '../time/manual-clock.ts';

type Fields = Readonly<Record<string, string>>;

export interface AccountApp extends AsyncDisposable {
  database: TestDatabase;
  members: MemberAccess;
  passwords: Passwords;
  clock: ManualClock;
  logLines: string[];
  /** Posts a form over HTTPS, as partner `maker` unless told. */
  post: (fields: Fields, headers?: Fields) => Promise<LightMyRequestResponse>;
  get: (url: string, headers?: Fields) => Promise<LightMyRequestResponse>;
}

export interface AccountAppOptions extends Partial<AccountDeps> {
  failures?: FailureLimits;
  legacyCredentials?: boolean;
}

/** So that a test is not about the time a hash takes. */
export const FAST_HASHING = { memoryCost: 1024, timeCost: 1 };
export const MEMBER_KEY = 'a key for tests that is thirty-two characters';
const MANY = { perSecond: 1000, burst: 1000 };
export const NO_BUDGETS = {
  create: [MANY],
  claim: [MANY],
  newRadio: [MANY],
  mail: [MANY],
  ticket: [MANY],
  streamReport: [MANY],
};

/** Accounts on an empty directory with the world's places, behind a proxy that speaks HTTPS. */
export async function accountApp({
  failures,
  legacyCredentials = false,
  ...deps
}: AccountAppOptions = {}): Promise<AccountApp> {
  const database = await testDatabaseWithPlaces();
  const { pool } = database;
  await addPartner(pool, { id: 'maker', name: 'A maker' });
  const partners = new Map((await listPartners(pool)).map((row) => [row.id, row]));
  const keys = memberKeys(MEMBER_KEY);
  const clock = new ManualClock(Temporal.Now.instant().toString());
  const passwords = new Passwords({ keys, hashing: FAST_HASHING, workers: { queue: 100, waitMs: 10_000 } });
  const logins = new PasswordLogins({ pool, keys, clock, passwords, ...(failures && { limits: failures }) });
  const members: MemberAccess = { pool, keys, logins, legacyCredentials };
  const endpoints = accountEndpoints({ members, passwords, clock, budgets: NO_BUDGETS, ...deps });
  const proxy = parseNetwork('127.0.0.1');
  const { app, logLines } = testApp(endpoints, {
    clock,
    trustedProxies: proxy ? [proxy] : [],
    findPartner: (id) => partners.get(id),
  });
  return {
    database,
    members,
    passwords,
    clock,
    logLines,
    post: (fields, headers) => postForm(app, { partnerId: 'maker', ...fields }, headers),
    get: (url, headers) => app.inject({ url, headers: { ...SECURE, ...headers } }),
    async [Symbol.asyncDispose]() {
      await app.close();
      await passwords[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}

const SECURE = { host: 'radio.test', 'x-forwarded-proto': 'https' };

const postForm = (app: FastifyInstance, fields: Fields, headers: Fields = {}) =>
  app.inject({
    method: 'POST',
    url: '/Account.ashx',
    headers: { ...SECURE, 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams(fields).toString(),
  });

/** The status of the protocol, with the fault's code when there is one. */
export function outcomeOf({ body }: { body: string }): string {
  const [, status = 'none'] = /<status>(\d+)<\/status>/.exec(body) ?? [];
  const [, code] = /<fault_code>([^<]+)<\/fault_code>/.exec(body) ?? [];
  return code === undefined ? status : `${status} ${code}`;
}

/** What makes an account, under a name. */
export const registration = (username: string, more: Fields = {}): Fields => ({
  c: 'create',
  username,
  password: 'Secret1!',
  email: `${username.toLowerCase()}@mail.example`,
  postalCode: '90210',
  ...more,
});
