import assert from 'node:assert/strict';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { type BudgetLimits, Budgets } from '../../src/core/accounts/budgets.ts';
import { DeviceDiary } from '../../src/core/accounts/devices/device-diary.ts';
import { memberKeys } from '../../src/core/accounts/keys.ts';
import { PasswordLogins } from '../../src/core/accounts/login/password-logins.ts';
import { Passwords } from '../../src/core/accounts/login/passwords.ts';
import { notifyOfPassword } from '../../src/core/accounts/mail/write-to-owner.ts';
import { listPartners } from '../../src/core/accounts/partners/partners.ts';
import { Aliases } from '../../src/core/directory/lookup/by-any-id.ts';
import { buildSnapshot } from '../../src/core/directory/snapshot/build-snapshot.ts';
import { parseNetwork } from '../../src/net/http/caller/addresses.ts';
import { accountEndpoints } from '../../src/protocols/radiotime/account/account.ts';
import { browseEndpoints } from '../../src/protocols/radiotime/browse/browse.ts';
import { noteCalls } from '../../src/protocols/radiotime/call/note-call.ts';
import { presetEndpoints } from '../../src/protocols/radiotime/preset/preset.ts';
import type { SiteApiDeps } from '../../src/protocols/site/api/deps.ts';
import { siteApi } from '../../src/protocols/site/api/site-api.ts';
import { FAST_HASHING, MEMBER_KEY, NO_BUDGETS } from './account-app.ts';
import { type TestDatabase, testDatabaseWithPlaces } from '../database/database.ts';
import { testApp } from './http-server.ts';
import { ManualClock } from '../time/manual-clock.ts';

const ROWS = `
  INSERT INTO stations (id, name, name_key) SELECT n, 'Station ' || n, 'station' || n FROM generate_series(1, 20) n;
  INSERT INTO streams (station_id, address, address_key, format, bitrate)
    SELECT n, 'http://stream.example.net/' || n, md5('stream.example.net/' || n)::uuid, 'mp3', 128 FROM generate_series(1, 20) n;
  INSERT INTO stations (id, name, name_key) VALUES (21, 'Silent FM', 'silentfm');
  INSERT INTO shows (id, title) SELECT n, 'Show ' || n FROM generate_series(1, 5) n;
  INSERT INTO aliases (scheme, foreign_id, kind, item_id) VALUES ('elsewhere', 's424242', 's', 3);
  INSERT INTO partners (id, name, serial_scope) VALUES ('maker', 'A maker', 'maker');`;

export const SITE_PASSWORD = 'a long enough password';
export const ORIGIN = 'https://radio.test';

type Headers = Readonly<Record<string, string>>;

export interface SiteApp extends AsyncDisposable {
  app: FastifyInstance;
  database: TestDatabase;
  clock: ManualClock;
  diary: DeviceDiary;
  passwords: Passwords;
  logLines: string[];
  /** A call of the protocol over HTTPS, as partner `maker`. */
  radio: (page: string, fields: Headers) => Promise<string>;
}

export interface SiteAppOptions extends Pick<SiteApiDeps, 'mailer' | 'publicHosts' | 'siteHost'> {
  legacyCredentials?: boolean;
  homeSignIn?: boolean;
  budgets?: BudgetLimits;
}

/** Accounts, presets and the site's calls on a few stations, behind a proxy that speaks HTTPS. */
export async function siteApp({
  legacyCredentials = false,
  homeSignIn = false,
  budgets = NO_BUDGETS,
  mailer,
  publicHosts = ['radio.test'],
  siteHost,
}: SiteAppOptions = {}): Promise<SiteApp> {
  const database = await testDatabaseWithPlaces();
  const { pool } = database;
  await pool.query(ROWS);
  const snapshot = await buildSnapshot(pool);
  const partners = new Map((await listPartners(pool)).map((row) => [row.id, row]));
  const keys = memberKeys(MEMBER_KEY);
  const clock = new ManualClock(Temporal.Now.instant().toString());
  const passwords = new Passwords({ keys, hashing: FAST_HASHING, workers: { queue: 100, waitMs: 10_000 } });
  const shared = new Budgets(clock, budgets);
  const onChanged = (id: number): void =>
    notifyOfPassword({ db: pool, mailer, budgets: shared }, { id, language: 'en' });
  const logins = new PasswordLogins({ pool, keys, clock, passwords, onChanged });
  const members = { pool, keys, logins, legacyCredentials, homeSignIn };
  const deps = {
    directory: { current: () => snapshot },
    db: pool,
    aliases: new Aliases(pool),
    members,
    passwords,
    clock,
    budgets: shared,
    mailer,
    publicHosts,
    siteHost,
  };
  const { app, options, logLines } = testApp(
    [...browseEndpoints(deps), ...presetEndpoints(deps), ...accountEndpoints(deps)],
    {
      siteEndpoints: siteApi(deps),
      noteCall: (call, outcome) => note(call, outcome),
      clock,
      publicHosts,
      siteHost,
      trustedProxies: [parseNetwork('127.0.0.1')!],
      findPartner: (id) => partners.get(id),
    },
  );
  const diary = new DeviceDiary(pool, options.log, keys);
  const note = noteCalls({ diary });
  return {
    app,
    database,
    clock,
    diary,
    passwords,
    logLines,
    async radio(page, fields) {
      const payload = new URLSearchParams({ partnerId: 'maker', ...fields }).toString();
      const headers = { ...HTTPS, 'content-type': 'application/x-www-form-urlencoded' };
      const { body } = await app.inject({ method: 'POST', url: `/${page}.ashx`, headers, payload });
      return body;
    },
    async [Symbol.asyncDispose]() {
      await diary[Symbol.asyncDispose]();
      await app.close();
      await passwords[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}

const HTTPS = { host: 'radio.test', 'x-forwarded-proto': 'https' };

/** What a page of the site sends with a call that changes something. */
export const OWN_PAGE: Headers = {
  origin: ORIGIN,
  'sec-fetch-site': 'same-origin',
  'content-type': 'application/json',
  'x-longwave': '1',
};

export interface Asked {
  status: number;
  json: any;
  text: string;
  response: LightMyRequestResponse;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Somebody's browser: it keeps the cookie and sends it again. */
export class Visitor {
  readonly #site: Pick<SiteApp, 'app'>;
  readonly #base: Headers;
  cookie: string | undefined;

  constructor(site: Pick<SiteApp, 'app'>, base: Headers = HTTPS) {
    this.#site = site;
    this.#base = base;
  }

  /** With `headers` in the place of what a page sends, when they are given. */
  async ask(method: Method, path: string, body?: unknown, headers?: Headers): Promise<Asked> {
    const request: InjectOptions = {
      method,
      url: path.startsWith('/') ? path : `/listen/api/${path}`,
      headers: {
        ...this.#base,
        ...(headers ?? (method === 'GET' ? {} : OWN_PAGE)),
        ...(this.cookie !== undefined && { cookie: this.cookie }),
      },
      ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    };
    const response = await this.#site.app.inject(request);
    const set = response.headers['set-cookie'];
    if (typeof set === 'string') this.cookie = /Max-Age=0/.test(set) ? undefined : set.split(';', 1)[0];
    const text = response.body;
    const isJson = String(response.headers['content-type']).startsWith('application/json');
    return {
      status: response.statusCode,
      json: isJson && text !== '' ? JSON.parse(text) : undefined,
      text,
      response,
    };
  }

  /** The answer, which must have this status. */
  async get(path: string, status = 200): Promise<any> {
    const { json, text, ...asked } = await this.ask('GET', path);
    assert.equal(asked.status, status, `GET ${path}: ${text}`);
    return json;
  }

  async send(method: Method, path: string, body?: unknown, status = 200): Promise<any> {
    const { json, text, ...asked } = await this.ask(method, path, body);
    assert.equal(asked.status, status, `${method} ${path}: ${text}`);
    return json;
  }
}

export const registrationOf = (username: string, more: object = {}): object => ({
  username,
  password: SITE_PASSWORD,
  email: `${username.toLowerCase()}@mail.example`,
  place: { city: 'Hamburg', country: 'DE' },
  language: 'de',
  ...more,
});

/** Somebody with an account of this name, signed in. */
export async function member(site: SiteApp, username: string): Promise<Visitor> {
  const visitor = new Visitor(site);
  await visitor.send('POST', 'register', registrationOf(username), 201);
  return visitor;
}

/** Lets a radio show a code; gives it. */
export async function codeOf(site: SiteApp, serial: string): Promise<string> {
  const body = await site.radio('Account', { c: 'claim', serial });
  const [, code] = /Code (\w{8})/.exec(body) ?? [];
  assert.ok(code, body);
  return code;
}
