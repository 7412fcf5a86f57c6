import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Pool } from 'pg';
import { waitUntil } from '../../../scripts/services/service.ts';
import { scheduleStreams } from '../../src/storage/catalog/streams/due-streams.ts';
import { migrateTimedJobs } from '../../src/workers/runner/timed.ts';
import { type TestDatabase, testDatabase } from '../database/database.ts';
import { type Place, stationAddress } from './places.ts';

const SERVE = join(import.meta.dirname, 'serve-stations.ts');

export interface Report {
  connections: number;
  /** Most connections at once to any host since the farm began, and to which. */
  mostAtOnce: number;
  mostAt: string;
}

/** Stations of our own on many hosts of this machine, in a process of their own: what they do is at `kinds.ts`. */
export interface StationFarm extends Place, AsyncDisposable {
  report(): Promise<Report>;
}

async function startFarm(
  ...options: [stations: number, delayMs: number, isCounting: boolean]
): Promise<StationFarm> {
  const [stations] = options;
  const child = spawn(process.execPath, [SERVE, ...options.map((option) => String(Number(option)))], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line]: string[] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    once(child, 'exit').then(() => Promise.reject(new Error('the farm did not start'))),
  ]);
  const { port, controlPort }: { port: number; controlPort: number } = JSON.parse(line ?? '');
  return {
    stations,
    port,
    async report() {
      const response = await fetch(`http://127.0.0.1:${controlPort}/`, {
        signal: AbortSignal.timeout(30_000),
      });
      // oxlint-disable-next-line no-unsafe-type-assertion -- the farm writes it so
      return (await response.json()) as Report;
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await once(child, 'exit');
    },
  };
}

/** A farm, and a database in which its stations are listed, each with an id one above its number. */
export interface ProbedFarm extends AsyncDisposable {
  farm: StationFarm;
  database: TestDatabase;
  pool: Pool;
  /** All are due, and nobody has them in hand. */
  makeDue(): Promise<void>;
  /** How many are still to be listened to. */
  left(): Promise<number>;
  /** Returns when none is, with how long that took. */
  isDone(withinMs: number): Promise<number>;
}

export async function openProbedFarm(
  stations: number,
  delayMs: number,
  isCounting = true,
): Promise<ProbedFarm> {
  await using opened = new AsyncDisposableStack();
  const farm = opened.use(await startFarm(stations, delayMs, isCounting));
  const database = opened.use(await testDatabase());
  const { pool } = database;
  await migrateTimedJobs(database.url);
  await list(pool, farm);
  // Whatever was listened to is due much later than this, whatever is claimed or put off sooner.
  const left = async (): Promise<number> => {
    const { rows } = await pool.query<{ left: number }>(
      "SELECT count(*)::int4 AS left FROM stream_checks WHERE next_due_at < now() + interval '12 minutes'",
    );
    return rows[0]?.left ?? 0;
  };
  const kept = opened.move();
  return {
    farm,
    database,
    pool,
    left,
    makeDue: async () =>
      void (await pool.query('UPDATE stream_checks SET next_due_at = now(), claimed_at = NULL')),
    async isDone(withinMs) {
      const started = performance.now();
      await waitUntil('all stations to be heard', async () => (await left()) === 0, withinMs);
      return performance.now() - started;
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

async function list(pool: Pool, farm: StationFarm): Promise<void> {
  await pool.query("INSERT INTO stations (id, name, name_key) VALUES (1, 'Farm', 'farm')");
  const addresses = Array.from({ length: farm.stations }, (_none, number) => stationAddress(number, farm));
  await pool.query(
    `INSERT INTO streams (id, station_id, address, address_key)
     SELECT n, 1, address, md5(address)::uuid FROM unnest($1::text[]) WITH ORDINALITY AS u (address, n)`,
    [addresses],
  );
  await scheduleStreams(pool);
  await pool.query("UPDATE stream_checks SET next_due_at = now() + interval '1 day'");
  await pool.query('ANALYZE stream_checks, streams');
}
