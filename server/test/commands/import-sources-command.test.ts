import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { testDatabase, type TestDatabase } from '../database/database.ts';
import { type Ran, runLongwave } from '../processes/run-longwave.ts';
import { addSmallWorld } from '../content/station-records.ts';

const MAIN = join(import.meta.dirname, '../../src/main.ts');
const folder = mkdtempSync(join(tmpdir(), 'longwave-sources-'));
const file = join(folder, 'house.csv');
const STATION_SOURCES = `house=${file}`;

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
  await addSmallWorld(database.pool);
});
after(async () => {
  await database[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

function writeStations(count: number): void {
  const rows = Array.from({ length: count }, (_item, n) => `Quay ${n},http://csv.radio-haven.net/${n}`);
  writeFileSync(file, ['name,url', ...rows].join('\n'));
}

async function countRecords(): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>('SELECT count(*) FROM station_records');
  return rows[0]?.count ?? 0;
}

const longwave = (args: string[], settings: NodeJS.ProcessEnv = { STATION_SOURCES }): Ran =>
  runLongwave(args, { DATABASE_URL: database.url, ...settings });

const RECORDS = 9000;

function startWorker(): { ended: Promise<unknown>; kill: (signal: NodeJS.Signals) => boolean } {
  const child = spawn(process.execPath, [MAIN, 'work'], {
    env: { ...process.env, DATABASE_URL: database.url, WORK_PORT: '0', STATION_SOURCES },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return { ended: once(child, 'exit'), kill: (signal) => child.kill(signal) };
}

test('a worker imports what is due, and one that is killed half-way is followed by one that begins again', async () => {
  writeStations(RECORDS);
  const killed = startWorker();
  while ((await countRecords()) === 0) await sleep(20);
  killed.kill('SIGKILL');
  await killed.ended;
  const { rows } = await database.pool.query(
    'SELECT read_at, claimed_at IS NOT NULL AS claimed FROM station_sources',
  );
  assert.deepEqual(rows, [{ read_at: null, claimed: true }]);
  assert.ok((await countRecords()) < RECORDS, 'it was killed too late');

  // Its claim ends after ten minutes.
  await database.pool.query('UPDATE station_sources SET next_due_at = now()');
  const next = startWorker();
  while ((await database.pool.query('SELECT FROM station_sources WHERE read_at IS NULL')).rowCount !== 0)
    await sleep(50);
  next.kill('SIGTERM');
  await next.ended;
  assert.equal(await countRecords(), RECORDS);
  assert.equal((await database.pool.query('SELECT FROM absent_records')).rowCount, 0);
});

test('by hand it is imported at once, a list that has lost much only if that is accepted', () => {
  writeStations(RECORDS - 1000);
  const held = longwave(['import', 'sources']);
  assert.equal(held.status, 1, held.stdout);
  assert.match(
    held.stdout,
    /^house: 8,000 records read\n[^]*\n {2}1,000 of 9,000 earlier records are not in it, so none of them counts as gone: run it again with --accept-drop if that is right\n$/,
  );
  assert.match(held.stderr, /longwave: house: not imported completely; above is why, and what to do/);
  const accepted = longwave(['import', 'sources', 'house', '--accept-drop']);
  assert.equal(accepted.status, 0, accepted.stderr);
  assert.match(accepted.stdout, /\n {2}1,000 earlier records not in it any more\n$/);
});

test('a mistake is told with what to do', () => {
  const unset = longwave(['import', 'sources'], {});
  assert.deepEqual([unset.status, /set STATION_SOURCES/.test(unset.stderr)], [1, true]);
  const unknown = longwave(['import', 'sources', 'attic']);
  assert.deepEqual([unknown.status, /has no 'attic', but house/.test(unknown.stderr)], [2, true]);
  rmSync(file);
  const gone = longwave(['import', 'sources']);
  assert.equal(gone.status, 1);
  assert.match(gone.stdout, /^house: failed: cannot open .*house\.csv \(ENOENT\): correct STATION_SOURCES/);
});
