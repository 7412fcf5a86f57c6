import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { testDatabase } from '../../../../test/database/database.ts';
import { readConsistently } from './build-snapshot.ts';

const database = await testDatabase();
after(() => database[Symbol.asyncDispose]());

test('it cannot write', async () => {
  const write = readConsistently(database.pool, { deadlineMs: 5000 }, (db) =>
    db.query('DELETE FROM stations'),
  );
  await assert.rejects(write, /read-only transaction/);
});

test('a connection that breaks between two queries fails the reading, not the process', async () => {
  const reading = readConsistently(database.pool, { deadlineMs: 5000 }, async (db) => {
    const { rows } = await db.query('SELECT pg_backend_pid() AS pid');
    await database.pool.query('SELECT pg_terminate_backend($1)', [rows[0].pid]);
    await sleep(100);
    return db.query('SELECT 1');
  });
  await assert.rejects(reading, /connection|terminat/i);
});

test('at the deadline the connection is given up, although it never answers', async () => {
  const silent = readConsistently(database.pool, { deadlineMs: 50 }, () => new Promise(() => undefined));
  await assert.rejects(silent, /PostgreSQL did not answer within 0\.05 seconds/);
  assert.equal(database.pool.totalCount, database.pool.idleCount);
});

test('a connection that was read from is as good as before', async () => {
  const read = (): Promise<unknown> =>
    readConsistently(database.pool, { deadlineMs: 5000 }, (db) => db.query('SELECT 1'));
  for (let round = 0; round < 20; round++) await read();
  assert.equal(database.pool.totalCount, database.pool.idleCount);
  await database.pool.query('CREATE TEMP TABLE writable ()');
});
