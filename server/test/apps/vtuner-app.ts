import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { Budgets, type BudgetLimits } from '../../src/core/accounts/budgets.ts';
import { memberKeys } from '../../src/core/accounts/keys.ts';
import { Aliases } from '../../src/core/directory/lookup/by-any-id.ts';
import { buildSnapshot } from '../../src/core/directory/snapshot/build-snapshot.ts';
import type { Snapshot } from '../../src/core/directory/snapshot/snapshot.ts';
import type { RelayLinks } from '../../src/core/streams/relay/relay-links.ts';
import { StationStreams } from '../../src/core/streams/station-streams.ts';
import { vtuner, type VtunerDeps } from '../../src/protocols/vtuner/vtuner.ts';
import { refreshSearch } from '../../src/storage/catalog/search/refresh-search.ts';
import { seededDatabase, type TestDatabase } from '../database/database.ts';
import { startServer, type TestServer } from './http-server.ts';
import { ManualClock } from '../time/manual-clock.ts';

const ROWS = join(import.meta.dirname, '../seed/beside-stations.sql');

export interface VtunerApp extends AsyncDisposable {
  database: TestDatabase;
  server: TestServer;
  port: number;
  clock: ManualClock;
  snapshot: () => Snapshot;
  /** Puts another directory in the place of the one that was read. */
  replace: (snapshot: Snapshot) => void;
  /** Reads the directory again, after its tables were changed. */
  refresh: () => Promise<void>;
  /** The text and status of an answer, as a radio with a name built in asks. */
  ask: (
    path: string,
    headers?: Record<string, string>,
  ) => Promise<{ status: number; body: string; headers: Headers }>;
}

interface VtunerAppOptions extends Pick<VtunerDeps, 'radios' | 'diary'> {
  hasMembers?: boolean;
  legacyCredentials?: boolean;
  budgets?: BudgetLimits;
  relay?: RelayLinks;
  /** Shares its database, which takes seconds to make. */
  beside?: VtunerApp;
}

/** The protocol on real sockets, over the small fictional directory with its shows and accounts. */
export async function vtunerApp({
  hasMembers = true,
  legacyCredentials = false,
  budgets,
  relay,
  beside,
  ...ledgers
}: VtunerAppOptions = {}): Promise<VtunerApp> {
  const database = beside?.database ?? (await filledDatabase());
  const { pool } = database;
  const clock = new ManualClock('2026-03-28T12:30:00Z');
  let snapshot = await buildSnapshot(pool);
  const members = hasMembers ? membersOf(pool, legacyCredentials) : undefined;
  const deps = {
    directory: { current: () => snapshot },
    db: pool,
    aliases: new Aliases(pool),
    streams: new StationStreams(undefined, relay),
    members,
    budgets: new Budgets(clock, budgets),
    ...ledgers,
  };
  const server = await startServer([], { clock, protocols: [vtuner(deps)] });
  return {
    database,
    server,
    clock,
    port: server.listeners.httpPort,
    snapshot: () => snapshot,
    replace: (other) => void (snapshot = other),
    refresh: async () => void (snapshot = await buildSnapshot(pool)),
    async ask(path, headers) {
      const {
        statusCode,
        payload,
        headers: given,
      } = await server.app.inject({
        url: path,
        headers: { host: 'radioyamaha.vtuner.com', ...headers },
      });
      const flat = Object.entries(given).map(([name, value]): [string, string] => [name, String(value)]);
      return { status: statusCode, body: payload, headers: new Headers(flat) };
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      if (!beside) await database[Symbol.asyncDispose]();
    },
  };
}

async function filledDatabase(): Promise<TestDatabase> {
  const database = await seededDatabase();
  const { pool } = database;
  await pool.query(readFileSync(ROWS, 'utf8'));
  await pool.query("SELECT setval('accounts_id_seq', 100)");
  await refreshSearch(pool);
  return database;
}

const membersOf = (pool: Pool, legacyCredentials: boolean): NonNullable<VtunerDeps['members']> => ({
  pool,
  keys: memberKeys('k'.repeat(40)),
  legacyCredentials,
});
