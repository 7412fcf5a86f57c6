import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import type { Pool } from 'pg';
import { AppLogins } from '../../src/core/accounts/app-passwords/app-logins.ts';
import { addAppPassword } from '../../src/core/accounts/app-passwords/app-passwords.ts';
import { memberKeys } from '../../src/core/accounts/keys.ts';
import { cleanFeedAddress } from '../../src/core/cleaning/clean-address.ts';
import { Aliases } from '../../src/core/directory/lookup/by-any-id.ts';
import { buildSnapshot } from '../../src/core/directory/snapshot/build-snapshot.ts';
import type { Snapshot } from '../../src/core/directory/snapshot/snapshot.ts';
import type { Protocol } from '../../src/net/http/server.ts';
import { refreshSearch } from '../../src/storage/catalog/search/refresh-search.ts';
import { MEMBER_KEY } from './account-app.ts';
import { seededDatabase, type TestDatabase } from '../database/database.ts';
import { testApp } from './http-server.ts';
import { ManualClock } from '../time/manual-clock.ts';

const ROWS = join(import.meta.dirname, '../seed/beside-stations.sql');

/** Account 7, whose presets are s1, p101 and an address. */
export const ANN = 7;
export const BO = 8;
export const feedOf = (showId: number): string => `https://feeds.example.net/p${showId}.xml`;

/** The fictional directory's rows beside stations, with feeds for the shows 101 to 112. */
export async function addApps(pool: Pool): Promise<void> {
  await pool.query(readFileSync(ROWS, 'utf8'));
  for (let id = 101; id <= 112; id += 1) await addFeed(pool, id, feedOf(id));
  await pool.query("SELECT setval('preset_serials', 1000), setval('folder_serials', 1000)");
  await pool.query(`UPDATE accounts SET folder_count = (SELECT count(*) FROM folders WHERE account_id = accounts.id),
    preset_count = (SELECT count(*) FROM presets WHERE account_id = accounts.id)`);
}

export async function addFeed(pool: Pool, showId: number, address: string): Promise<void> {
  const feed = cleanFeedAddress(address);
  if (!('key' in feed)) throw new Error(`${address}: ${feed.refused}`);
  await pool.query('UPDATE shows SET feed_address = $2, feed_key = $3 WHERE id = $1', [
    showId,
    address,
    feed.key,
  ]);
}

export interface AppsDeps {
  directory: { current: () => Snapshot };
  db: Pool;
  aliases: Aliases;
  accounts: { pool: Pool; apps: AppLogins; legacyCredentials: boolean };
}

export interface AppsApp extends AsyncDisposable {
  database: TestDatabase;
  clock: ManualClock;
  logLines: string[];
  /** Ann's and Bo's. */
  passwords: { ann: string; bo: string };
  ask: (options: InjectOptions & { url: string }) => Promise<LightMyRequestResponse>;
}

/** A protocol for apps over the small fictional directory and its accounts. */
export async function appsApp(
  protocol: (deps: AppsDeps) => Protocol,
  { legacyCredentials = true } = {},
): Promise<AppsApp> {
  const database = await seededDatabase();
  const { pool } = database;
  await addApps(pool);
  await refreshSearch(pool);
  const clock = new ManualClock('2026-04-02T08:00:00Z');
  const keys = memberKeys(MEMBER_KEY);
  const snapshot = await buildSnapshot(pool);
  const apps = new AppLogins({ db: pool, keys, clock });
  const made = async (accountId: number): Promise<string> =>
    (await addAppPassword(pool, keys, { accountId, app: 'test' }))?.password ?? '';
  const passwords = { ann: await made(ANN), bo: await made(BO) };
  const deps = {
    directory: { current: () => snapshot },
    db: pool,
    aliases: new Aliases(pool),
    accounts: { pool, apps, legacyCredentials },
  };
  const { app, logLines } = testApp([], { clock, protocols: [protocol(deps)] });
  return {
    database,
    clock,
    logLines,
    passwords,
    ask: ({ headers, ...options }) => app.inject({ ...options, headers: { host: 'radio.test', ...headers } }),
    async [Symbol.asyncDispose]() {
      await app.close();
      await database[Symbol.asyncDispose]();
    },
  };
}
