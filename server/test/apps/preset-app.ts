import type { FastifyInstance } from 'fastify';
import { memberKeys } from '../../src/core/accounts/keys.ts';
import type { Logins } from '../../src/core/accounts/login/password-logins.ts';
import type { MemberAccess } from '../../src/core/accounts/member-access.ts';
import { listPartners } from '../../src/core/accounts/partners/partners.ts';
import { Aliases } from '../../src/core/directory/lookup/by-any-id.ts';
import { buildSnapshot } from '../../src/core/directory/snapshot/build-snapshot.ts';
import { parseNetwork } from '../../src/net/http/caller/addresses.ts';
import { browseEndpoints } from '../../src/protocols/radiotime/browse/browse.ts';
import { presetEndpoints } from '../../src/protocols/radiotime/preset/preset.ts';
import { tune } from '../../src/protocols/radiotime/tune/tune.ts';
import { type TestDatabase, testDatabase } from '../database/database.ts';
import { testApp } from './http-server.ts';

/** Stations 1 to 40, shows 1 to 5, two partners with scopes of their own, and the named accounts of `NAMES`. */
export const STATIONS = 40;
export const SHOWS = 5;
export const NAMES = ['Ann', 'Bo'] as const;
export const PASSWORD = 'open sesame';

const ROWS = `
  INSERT INTO stations (id, name, name_key) SELECT n, 'Station ' || n, 'station ' || n FROM generate_series(1, ${STATIONS}) n;
  INSERT INTO streams (station_id, address, address_key, format, bitrate)
    SELECT n, 'http://stream.example.net/' || n, lpad(n::text, 32, '0')::uuid, 'mp3', 128 FROM generate_series(1, ${STATIONS}) n;
  INSERT INTO stations (id, name, name_key) VALUES (${STATIONS + 1}, 'Silent FM', 'silent fm');
  INSERT INTO shows (id, title) SELECT n, 'Show ' || n FROM generate_series(1, ${SHOWS}) n;
  INSERT INTO aliases (scheme, foreign_id, kind, item_id) VALUES ('elsewhere', 's424242', 's', 1);
  INSERT INTO partners (id, name, serial_scope) VALUES ('maker', 'A maker', 'maker'), ('other', 'Another', 'other');
  INSERT INTO accounts (id, username, password_hash, folder_count)
    SELECT n, name, 'not looked at', 1 FROM unnest('{${NAMES.join(',')}}'::text[]) WITH ORDINALITY AS named (name, n);
  SELECT setval('accounts_id_seq', 100);
  INSERT INTO usernames SELECT lower(username), id FROM accounts;
  INSERT INTO folders (account_id, id, name, is_default, position)
    SELECT id, nextval('folder_serials') * 1024 + id, 'Favorites', true, 1 FROM accounts;`;

export interface PresetApp extends AsyncDisposable {
  app: FastifyInstance;
  database: TestDatabase;
  members: MemberAccess;
  /** The accounts that `PASSWORD` opens, by their names. */
  passwords: Map<string, number>;
  /** The body of an answer to a call over HTTPS; every answer of the protocol is HTTP 200. */
  get: (url: string, headers?: Record<string, string>) => Promise<string>;
}

/** Preset, Browse and Tune on a few stations, as a radio behind a proxy that speaks HTTPS sees them. */
export async function presetApp({ hasMembers = true } = {}): Promise<PresetApp> {
  const database = await testDatabase();
  const { pool } = database;
  await pool.query(ROWS);
  const snapshot = await buildSnapshot(pool);
  const partners = new Map((await listPartners(pool)).map((row) => [row.id, row]));
  const passwords = new Map(NAMES.map((name, index) => [name.toLowerCase(), index + 1]));
  // How passwords are checked is tested where it is done.
  const logins: Logins = {
    verify: async ({ username, password }) => {
      const accountId = passwords.get(username.toLowerCase());
      return password === PASSWORD && accountId !== undefined ? { accountId, passwordHash: '' } : undefined;
    },
  };
  const members = { pool, keys: memberKeys('k'.repeat(40)), logins, legacyCredentials: false };
  const directory = { current: () => snapshot };
  const deps = { directory, db: pool, aliases: new Aliases(pool), members: hasMembers ? members : undefined };
  const { app } = testApp([...browseEndpoints(deps), tune(deps), ...presetEndpoints(deps)], {
    findPartner: (id) => partners.get(id),
    trustedProxies: [parseNetwork('127.0.0.1')!],
    logLevel: 'silent',
  });
  return {
    app,
    database,
    members,
    passwords,
    async get(url, headers = { 'x-forwarded-proto': 'https' }) {
      const { body, statusCode } = await app.inject({ url, headers: { host: 'radio.test', ...headers } });
      if (statusCode !== 200) throw new Error(`${url} was answered with HTTP ${statusCode}`);
      return body;
    },
    async [Symbol.asyncDispose]() {
      await app.close();
      await database[Symbol.asyncDispose]();
    },
  };
}
