import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import { listPartners } from '../../src/core/accounts/partners/partners.ts';
import { OnAirKeeper } from '../../src/core/directory/live/keep-on-air.ts';
import { Aliases } from '../../src/core/directory/lookup/by-any-id.ts';
import { buildSnapshot } from '../../src/core/directory/snapshot/build-snapshot.ts';
import type { Snapshot } from '../../src/core/directory/snapshot/snapshot.ts';
import { createLog } from '../../src/lib/log.ts';
import type { BrowseDeps } from '../../src/protocols/radiotime/browse/actions.ts';
import { browseEndpoints } from '../../src/protocols/radiotime/browse/browse.ts';
import type { TestDatabase } from '../database/database.ts';
import { testApp } from './http-server.ts';
import { seededDirectory } from '../content/seeded-directory.ts';
import { ManualClock } from '../time/manual-clock.ts';

const ROWS = join(import.meta.dirname, '../seed/beside-stations.sql');

export interface BrowseApp extends AsyncDisposable {
  database: TestDatabase;
  snapshot: Snapshot;
  clock: ManualClock;
  /** Looks at what is on air when it is told to. */
  onAir: OnAirKeeper;
  /** The body of an answer; every answer of the protocol is HTTP 200. */
  get: (url: string, headers?: Record<string, string>) => Promise<string>;
  /** The same once all that belongs to it has been read. */
  getSettled: (url: string) => Promise<string>;
  /** Another one on the same directory. */
  with: (deps: Partial<BrowseDeps>) => FastifyInstance;
}

/** Browse on the small fictional directory, with networks, shows, a schedule and presets beside its stations. */
export async function browseApp(now = '2026-03-28T12:30:00Z'): Promise<BrowseApp> {
  const { database, directory, ...seeded } = await seededDirectory();
  await database.pool.query(readFileSync(ROWS, 'utf8'));
  const snapshot = await buildSnapshot(database.pool);
  const partners = new Map((await listPartners(database.pool)).map((row) => [row.id, row]));
  const clock = new ManualClock(now);
  const log = createLog({ level: 'silent' });
  const still = { current: () => snapshot, onSwap: directory.onSwap.bind(directory) };
  const onAir = new OnAirKeeper({ db: database.pool, directory: still, clock, log });
  await onAir.look();
  const withDeps = (deps: Partial<BrowseDeps>): FastifyInstance => {
    const { pool } = database;
    const all = { directory: still, onAirBoard: onAir.board, db: pool, aliases: new Aliases(pool) };
    return testApp(browseEndpoints({ ...all, ...deps }), { clock, findPartner: (id) => partners.get(id) })
      .app;
  };
  const app = withDeps({});
  return {
    database,
    snapshot,
    clock,
    onAir,
    with: withDeps,
    get: (url, headers) => ask(app, url, headers),
    getSettled: (url) => askSettled(database.pool, app, url),
    async [Symbol.asyncDispose]() {
      await app.close();
      await onAir[Symbol.asyncDispose]();
      await seeded[Symbol.asyncDispose].call({ database, directory });
    },
  };
}

/** Asks as a radio does that was given `radio.test` for a host. */
export async function ask(
  app: FastifyInstance,
  url: string,
  headers: Record<string, string> = {},
): Promise<string> {
  const { body, statusCode } = await app.inject({ url, headers: { host: 'radio.test', ...headers } });
  if (statusCode !== 200) throw new Error(`${url} was answered with HTTP ${statusCode}`);
  return body;
}

/** The same once everything that the menu waits only a moment for has been read, however busy the machine is. */
export async function askSettled(
  pool: Pool,
  app: FastifyInstance,
  url: string,
  headers?: Record<string, string>,
): Promise<string> {
  await ask(app, url, headers);
  while (pool.waitingCount > 0 || pool.idleCount < pool.totalCount) await sleep(5);
  return ask(app, url, headers);
}

/** Addresses in a menu, ready to be asked for. */
export const linksOf = (body: string): string[] =>
  [...body.matchAll(/URL="http:\/\/radio\.test([^"]+)"/g)].map(([, path = '']) =>
    path.replaceAll('&amp;', '&').replaceAll('&apos;', "'"),
  );

/** The stations, in their order. */
export const stationsOf = (body: string): string[] =>
  [...body.matchAll(/guide_id="(s\d+)"/g)].map(([, id = '']) => id);

/** The keys of groups and links, in their order. */
export const keysOf = (body: string): string[] =>
  [...body.matchAll(/ key="(\w+)"/g)].map(([, key = '']) => key);
