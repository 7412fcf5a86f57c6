import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { catalogueState, guideIds } from '../../database/catalogue/catalogue-state.ts';
import { testDatabaseWithPlaces, type TestDatabase } from '../../database/database.ts';
import { REAL_STATIONS, withoutRealData } from '../../content/real-data.ts';

const MAIN = join(import.meta.dirname, '../../../src/main.ts');
/** The long form is all of them, `IMPORT_RECORDS=86888 IMPORT_KILLS=5`. */
const RECORDS = Number(process.env['IMPORT_RECORDS'] ?? 10_000);
const KILLS = Number(process.env['IMPORT_KILLS'] ?? 3);

const environment = ({ url }: TestDatabase): NodeJS.ProcessEnv => ({ ...process.env, DATABASE_URL: url });

/** The first records of the real ones. */
function writeRecords(file: string): void {
  const lines = gunzipSync(readFileSync(REAL_STATIONS)).toString('utf8').split('\n', RECORDS);
  writeFileSync(file, lines.join('\n'));
}

function importWhole(database: TestDatabase, file: string): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, 'import', 'stations', file], {
    env: environment(database),
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  return stdout;
}

/** Killed in the midst of the batch after so many records. */
async function importKilled(database: TestDatabase, file: string, records: number): Promise<boolean> {
  const child = spawn(process.execPath, [MAIN, 'import', 'stations', file], {
    env: environment(database),
    stdio: 'ignore',
  });
  const ended = new Promise<boolean>((resolve) =>
    child.once('exit', (_code, signal) => resolve(signal === 'SIGKILL')),
  );
  while (child.exitCode === null && (await countRecords(database)) < records) await sleep(20);
  await sleep(randomInt(200));
  child.kill('SIGKILL');
  return ended;
}

async function countRecords({ pool }: TestDatabase): Promise<number> {
  const { rows } = await pool.query<{ count: number }>('SELECT count(*)::int AS count FROM station_records');
  return rows[0]?.count ?? 0;
}

/** Rows in the tables, and the addresses that the records name, counted from what the records say. */
async function counts({
  pool,
}: TestDatabase): Promise<{ stations: number; streams: number; addresses: number }> {
  const { rows } = await pool.query(`SELECT (SELECT count(*) FROM stations) AS stations,
    (SELECT count(*) FROM streams) AS streams,
    (SELECT count(DISTINCT facts->'stream'->>'addressKey') FROM station_records) AS addresses`);
  return rows[0];
}

test(
  `an import of ${RECORDS} records, ${KILLS} times killed and run again, ends in the same rows`,
  { skip: withoutRealData },
  async (t) => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'longwave-import-kill-'));
    const file = join(folder.path, 'stations.jsonl');
    writeRecords(file);
    await using clean = await testDatabaseWithPlaces();
    assert.match(importWhole(clean, file), new RegExp(`^${RECORDS.toLocaleString('en-US')} records read`));
    const { stations, streams, addresses } = await counts(clean);
    t.diagnostic(`${stations} stations, ${streams} streams`);
    assert.equal(streams, addresses);
    assert.ok(stations < streams && streams < RECORDS);

    await using killed = await testDatabaseWithPlaces();
    const seen = new Map<string, string>();
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const wasKilled = await importKilled(
        killed,
        file,
        Math.floor(((kill - Math.random()) / KILLS) * RECORDS),
      );
      const ids = await guideIds(killed.pool);
      t.diagnostic(`kill ${kill}: ${wasKilled ? 'killed' : 'had ended'}, ${ids.size} records there`);
      for (const [record, before] of seen)
        assert.equal(ids.get(record), before, `${record} has other guide IDs`);
      for (const [record, now] of ids) seen.set(record, now);
    }
    importWhole(killed, file);
    const last = await guideIds(killed.pool);
    for (const [record, before] of seen)
      assert.equal(last.get(record), before, `${record} has other guide IDs`);
    assert.deepEqual(await catalogueState(killed.pool), await catalogueState(clean.pool));

    const before = await catalogueState(clean.pool);
    assert.match(importWhole(clean, file), /\n {2}0 added: [^\n]*\n[^\n]*\n {2}0 changed\n/);
    assert.deepEqual(await catalogueState(clean.pool), before);
  },
);
