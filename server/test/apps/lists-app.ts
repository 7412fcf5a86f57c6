import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LightMyRequestResponse } from 'fastify';
import { Aliases } from '../../src/core/directory/lookup/by-any-id.ts';
import { buildSnapshot } from '../../src/core/directory/snapshot/build-snapshot.ts';
import type { Snapshot } from '../../src/core/directory/snapshot/snapshot.ts';
import { lists } from '../../src/protocols/lists/lists.ts';
import { refreshSearch } from '../../src/storage/catalog/search/refresh-search.ts';
import { seededDatabase, type TestDatabase } from '../database/database.ts';
import { testApp } from './http-server.ts';
import { ManualClock } from '../time/manual-clock.ts';

const ROWS = join(import.meta.dirname, '../seed/beside-stations.sql');

export interface ListsApp extends AsyncDisposable {
  database: TestDatabase;
  clock: ManualClock;
  logLines: string[];
  snapshot: () => Snapshot;
  /** Reads the directory again, after its tables were changed. */
  refresh: () => Promise<void>;
  ask: (
    path: string,
    headers?: Record<string, string>,
    method?: 'GET' | 'HEAD' | 'POST',
  ) => Promise<LightMyRequestResponse>;
}

/** The lists over the small fictional directory with its shows, its schedule and its accounts. */
export async function listsApp(now = '2026-03-28T12:30:00Z'): Promise<ListsApp> {
  const database = await seededDatabase();
  const { pool } = database;
  await pool.query(readFileSync(ROWS, 'utf8'));
  await refreshSearch(pool);
  const clock = new ManualClock(now);
  let snapshot = await buildSnapshot(pool);
  const directory = { current: () => snapshot };
  const protocols = [lists({ directory, db: pool, aliases: new Aliases(pool) })];
  const { app, logLines } = testApp([], { clock, protocols });
  return {
    database,
    clock,
    logLines,
    snapshot: () => snapshot,
    refresh: async () => void (snapshot = await buildSnapshot(pool)),
    ask: (path, headers, method = 'GET') =>
      app.inject({ method, url: path, headers: { host: 'radio.test', ...headers } }),
    async [Symbol.asyncDispose]() {
      await app.close();
      await database[Symbol.asyncDispose]();
    },
  };
}
