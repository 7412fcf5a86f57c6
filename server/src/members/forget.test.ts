import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import { type TestDatabase, testDatabase } from '../../test/database.ts';
import { forget } from './forget.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database[Symbol.asyncDispose]());

/** Long for a machine that is busy; where the lock is kept, it is for good. */
const PATIENCE_MS = 20_000;

test('one that was not answered in time leaves the next to others', async () => {
  // A connection that is used all the time is never closed for being idle.
  const slow = new Pool({ connectionString: database.url, query_timeout: 300, idleTimeoutMillis: 0 });
  const blocker = await database.pool.connect();
  await blocker.query('BEGIN; LOCK TABLE device_claims IN ACCESS EXCLUSIVE MODE');
  await assert.rejects(forget(slow), /timeout/);
  await blocker.query('COMMIT');
  blocker.release();
  const deadline = performance.now() + PATIENCE_MS;
  let gone = await forget(database.pool);
  while (gone === undefined && performance.now() < deadline) {
    await sleep(20);
    gone = await forget(database.pool);
  }
  await slow.end();
  assert.equal(gone, 0, 'the lock is free');
});
