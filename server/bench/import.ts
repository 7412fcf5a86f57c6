import { spawn } from 'node:child_process';
import { createReadStream, createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { PoolClient } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { testDatabaseWithPlaces, type TestDatabase } from '../test/database/database.ts';

const MAIN = join(import.meta.dirname, '../src/main.ts');
const ROUNDS = 3;
/** In the order that their foreign keys require. */
const TABLES = [
  'stations',
  'streams',
  'station_genres',
  'station_languages',
  'station_records',
  'aliases',
  'images',
];

/**
 * The complete import of a station file, as an operator runs it, compared with a bare COPY of the very rows it made
 * into the same tables with the same indexes: rounds of both, alternating.
 */
export async function run([file = '']: string[]): Promise<void> {
  if (file === '') throw new Error('usage: npm run bench -- import STATIONS_FILE');
  const folder = mkdtempSync(join(tmpdir(), 'longwave-bench-'));
  const rounds: { importMs: number; copyMs: number; peakMb: number; records: number }[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    await using imported = await testDatabaseWithPlaces();
    const { ms: importMs, peakMb } = await importInto(imported, file);
    const records = await countRecords(imported);
    await withClient(imported, (client) => saveTables(client, folder));
    await using bare = await testDatabaseWithPlaces();
    const copyMs = await withClient(bare, (client) => timeCopy(client, folder));
    rounds.push({ importMs, copyMs, peakMb, records });
    console.log(
      `round ${round}: import ${seconds(importMs)} s, bare COPY ${seconds(copyMs)} s, ratio ${(copyMs / importMs).toFixed(2)}, peak memory ${peakMb} MB`,
    );
  }
  rmSync(folder, { recursive: true });
  const ratios = rounds.map(({ importMs, copyMs }) => copyMs / importMs).toSorted((a, b) => a - b);
  const middle = rounds.toSorted((a, b) => a.importMs - b.importMs)[Math.floor(ROUNDS / 2)];
  const rate = middle ? Math.round(middle.records / (middle.importMs / 1000)) : 0;
  console.log(
    `median ratio ${ratios[Math.floor(ROUNDS / 2)]?.toFixed(2)}, ${rate.toLocaleString('en-US')} records/s`,
  );
}

const seconds = (ms: number): string => (ms / 1000).toFixed(2);

async function importInto(database: TestDatabase, file: string): Promise<{ ms: number; peakMb: number }> {
  const started = performance.now();
  const child = spawn(process.execPath, [MAIN, 'import', 'stations', file], {
    env: { ...process.env, DATABASE_URL: database.url },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  let peakMb = 0;
  const watch = setInterval(() => (peakMb = Math.max(peakMb, peakMemoryMb(child.pid))), 50);
  const status = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  clearInterval(watch);
  if (status !== 0) throw new Error(`the import ended with status ${status}`);
  return { ms: performance.now() - started, peakMb };
}

/** The high-water mark of resident memory as the kernel counts it. */
function peakMemoryMb(pid: number | undefined): number {
  try {
    const [, kb = '0'] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Math.round(Number(kb) / 1024);
  } catch {
    return 0;
  }
}

async function countRecords({ pool }: TestDatabase): Promise<number> {
  const { rows } = await pool.query<{ count: number }>('SELECT count(*) FROM station_records');
  return rows[0]?.count ?? 0;
}

async function withClient<T>({ pool }: TestDatabase, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    return await work(client);
  } finally {
    client.release();
  }
}

async function saveTables(client: PoolClient, folder: string): Promise<void> {
  for (const table of ['genres', ...TABLES]) {
    const rows = client.query(copyTo(`COPY ${table} TO STDOUT`));
    await pipeline(rows, createWriteStream(join(folder, table)));
  }
}

async function timeCopy(client: PoolClient, folder: string): Promise<number> {
  const load = (table: string): Promise<void> =>
    pipeline(createReadStream(join(folder, table)), client.query(copyFrom(`COPY ${table} FROM STDIN`)));
  await load('genres');
  const started = performance.now();
  for (const table of TABLES) await load(table);
  return performance.now() - started;
}
