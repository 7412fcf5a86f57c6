import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { catalogueState, guideIds } from '../catalogue-state.ts';
import { testDatabaseWithPlaces, type TestDatabase } from '../database.ts';
import { REAL_STATIONS, REAL_STATION_RECORDS, withoutRealData } from '../real-data.ts';

const MAIN = join(import.meta.dirname, '../../src/main.ts');
const KILLS = 5;

const environment = ({ url }: TestDatabase): NodeJS.ProcessEnv => ({ ...process.env, DATABASE_URL: url });

function importWhole(database: TestDatabase): string {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [MAIN, 'import', 'stations', REAL_STATIONS],
    {
      env: environment(database),
      encoding: 'utf8',
    },
  );
  assert.equal(status, 0, stderr);
  return stdout;
}

async function importKilled(database: TestDatabase, afterMs: number): Promise<boolean> {
  const child = spawn(process.execPath, [MAIN, 'import', 'stations', REAL_STATIONS], {
    env: environment(database),
    stdio: 'ignore',
  });
  const ended = new Promise<boolean>((resolve) =>
    child.once('exit', (_code, signal) => resolve(signal === 'SIGKILL')),
  );
  await sleep(afterMs);
  child.kill('SIGKILL');
  return ended;
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
  'the whole import, five times killed and run again, ends in the same rows',
  { skip: withoutRealData },
  async (t) => {
    await using clean = await testDatabaseWithPlaces();
    const started = performance.now();
    const summary = importWhole(clean);
    const wholeMs = performance.now() - started;
    assert.match(summary, new RegExp(`^${REAL_STATION_RECORDS.toLocaleString('en-US')} records read`));
    const { stations, streams, addresses } = await counts(clean);
    t.diagnostic(`${stations} stations, ${streams} streams`);
    assert.equal(streams, addresses);
    assert.ok(stations < streams && streams < REAL_STATION_RECORDS);

    await using killed = await testDatabaseWithPlaces();
    const seen = new Map<string, string>();
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const afterMs = randomInt(200, Math.round(wholeMs));
      const wasKilled = await importKilled(killed, afterMs);
      const ids = await guideIds(killed.pool);
      t.diagnostic(
        `kill ${kill} after ${afterMs} ms: ${wasKilled ? 'killed' : 'had ended'}, ${ids.size} records there`,
      );
      for (const [record, before] of seen)
        assert.equal(ids.get(record), before, `${record} has other guide IDs`);
      for (const [record, now] of ids) seen.set(record, now);
    }
    importWhole(killed);
    const last = await guideIds(killed.pool);
    for (const [record, before] of seen)
      assert.equal(last.get(record), before, `${record} has other guide IDs`);
    assert.deepEqual(await catalogueState(killed.pool), await catalogueState(clean.pool));

    const before = await catalogueState(clean.pool);
    assert.match(importWhole(clean), /\n {2}0 added: [^\n]*\n[^\n]*\n {2}0 changed\n/);
    assert.deepEqual(await catalogueState(clean.pool), before);
  },
);
