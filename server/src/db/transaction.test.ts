import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { testDatabase, type TestDatabase } from '../../test/database.ts';
import { transaction } from './transaction.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
  await database.pool.query('CREATE TABLE kept (id bigint PRIMARY KEY)');
});
after(() => database[Symbol.asyncDispose]());

const count = async (): Promise<number> => (await database.pool.query('SELECT FROM kept')).rowCount ?? 0;

test('what returns is kept, what throws is not', async () => {
  await transaction(database.pool, (client) => client.query('INSERT INTO kept VALUES (1)'));
  const failing = transaction(database.pool, async (client) => {
    await client.query('INSERT INTO kept VALUES (2)');
    throw new Error('no');
  });
  await assert.rejects(failing, /^Error: no$/);
  assert.equal(await count(), 1);
});

test('after a failed statement the connection is as good as new', async () => {
  for (let time = 0; time < 20; time += 1) {
    await assert.rejects(transaction(database.pool, (client) => client.query('INSERT INTO kept VALUES (1)')));
  }
  await transaction(database.pool, (client) => client.query('SELECT 1'));
  assert.ok(database.pool.totalCount <= 8);
});

test('a connection lost inside a transaction is replaced, and nothing of it is kept', async () => {
  const lost = transaction(database.pool, async (client) => {
    await client.query('INSERT INTO kept VALUES (3)');
    await client.query('SELECT pg_terminate_backend(pg_backend_pid())').catch(() => undefined);
    await client.query('INSERT INTO kept VALUES (4)');
  });
  await assert.rejects(lost);
  assert.equal(await count(), 1);
});
