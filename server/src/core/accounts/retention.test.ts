import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import { type TestDatabase, testDatabase } from '../../../test/database/database.ts';
import { purge } from './retention.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database[Symbol.asyncDispose]());

/** Long for a machine that is busy; where the lock is kept, it is for good. */
const MAX_WAIT_MS = 20_000;

test('one that was not answered in time leaves the next to others', async () => {
  // A connection that is used all the time is never closed for being idle.
  const slow = new Pool({ connectionString: database.url, query_timeout: 300, idleTimeoutMillis: 0 });
  const blocker = await database.pool.connect();
  await blocker.query('BEGIN; LOCK TABLE device_claims IN ACCESS EXCLUSIVE MODE');
  await assert.rejects(purge(slow), /timeout/);
  await blocker.query('COMMIT');
  blocker.release();
  const deadline = performance.now() + MAX_WAIT_MS;
  let gone = await purge(database.pool);
  while (gone === undefined && performance.now() < deadline) {
    await sleep(20);
    gone = await purge(database.pool);
  }
  await slow.end();
  assert.equal(gone, 0, 'the lock is free');
});

test('who reported is forgotten after thirty days, and so is what was settled; what is open waits', async () => {
  const { pool } = database;
  await pool.query(`
    INSERT INTO stations (id, name, name_key) VALUES (1, 'One', 'one');
    INSERT INTO streams (id, station_id, address, address_key) VALUES (7, 1, 'http://x.example', gen_random_uuid());`);
  for (const days of [0, 29, 31, 400])
    await pool.query(
      `INSERT INTO counted_reports (stream_id, is_good, reporter, said_at)
       VALUES (7, false, $1, now() - make_interval(days => $2))`,
      [randomBytes(32), days],
    );
  await pool.query(`
    INSERT INTO reports (kind, address, dedupe_key, state, last_at, message)
    SELECT 'stream', 'x', gen_random_uuid(), state, now() - make_interval(days => days), state || days
    FROM unnest('{open,settled,refused}'::text[]) AS state, unnest('{29,31}'::int[]) AS days`);
  await purge(pool);
  const counted = await pool.query("SELECT FROM counted_reports WHERE said_at > now() - interval '30 days'");
  assert.equal(counted.rowCount, 2);
  assert.equal((await pool.query('SELECT FROM counted_reports')).rowCount, 2);
  const { rows } = await pool.query<{ message: string }>('SELECT message FROM reports');
  assert.deepEqual(rows.map(({ message }) => message).toSorted(), [
    'open29',
    'open31',
    'refused29',
    'settled29',
  ]);
});
