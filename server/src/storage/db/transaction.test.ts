import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Pool } from 'pg';
import { type BlackHole, startBlackHole } from '../../../test/internet/black-hole.ts';
import { testDatabase, type TestDatabase } from '../../../test/database/database.ts';
import { createPool } from './pool.ts';
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

interface OverNetwork extends AsyncDisposable {
  pool: Pool;
  network: BlackHole;
  /** The network answers again, and new connections wait for it as long as a busy machine takes. */
  resume(): void;
}

/** A pool of one connection, by way of a network that can be held; it gives a silent server up after a second. */
async function overNetwork(): Promise<OverNetwork> {
  const network = await startBlackHole(Number(new URL(database.url).port));
  const pool = createPool({ databaseUrl: network.urlOf(database.url), size: 1, applicationName: 'test' });
  Object.assign(pool.options, { query_timeout: 1000 });
  return {
    pool,
    network,
    resume() {
      Object.assign(pool.options, { query_timeout: 30_000 });
      network.resume();
    },
    async [Symbol.asyncDispose]() {
      await pool.end();
      await network[Symbol.asyncDispose]();
    },
  };
}

const has = async (id: number): Promise<boolean> =>
  (await database.pool.query('SELECT FROM kept WHERE id = $1', [id])).rowCount === 1;

for (const [moment, holdAt] of [
  ['BEGIN', 0],
  ['a statement', 1],
  ['COMMIT', 2],
] as const) {
  test(`after a silence that swallowed the answer to ${moment}, nobody works in the transaction it left`, async () => {
    await using over = await overNetwork();
    const { pool, network } = over;
    const [refused, later] = [100 + holdAt, 200 + holdAt];
    await pool.query('SELECT 1');
    if (holdAt === 0) network.hold();
    const silenced = transaction(pool, async (client) => {
      if (holdAt === 1) network.hold();
      await client.query('INSERT INTO kept VALUES ($1)', [refused]);
      if (holdAt === 2) network.hold();
    });
    await assert.rejects(silenced, /Query read timeout/);
    over.resume();
    await pool.query('INSERT INTO kept VALUES ($1)', [later]);
    assert.ok(await has(later), 'what was saved after it is there for everybody');
    const { rows } = await pool.query('SELECT now() = statement_timestamp() AS is_own');
    assert.deepEqual(rows, [{ is_own: true }], 'each statement is a transaction of its own');
    if (holdAt < 2) {
      await transaction(pool, (client) => client.query('SELECT 1'));
      assert.equal(await has(refused), false, "somebody else's COMMIT keeps nothing of what failed");
    }
  });
}

test('a transaction whose failed statement nobody told of is not taken for saved', async () => {
  const swallowing = transaction(database.pool, async (client) => {
    await client.query('INSERT INTO kept VALUES (300)');
    await client.query('INSERT INTO kept VALUES (1)').catch(() => undefined);
  });
  await assert.rejects(swallowing, /nothing was saved/);
  assert.equal(await has(300), false);
});

test('a connection given back inside a transaction is closed, and what was begun on it is undone', async () => {
  await using over = await overNetwork();
  const careless = await over.pool.connect();
  await careless.query('BEGIN');
  await careless.query('INSERT INTO kept VALUES (400)');
  careless.release();
  await over.pool.query('INSERT INTO kept VALUES (401)');
  assert.ok(await has(401));
  await transaction(over.pool, (client) => client.query('SELECT 1'));
  assert.equal(await has(400), false);
});
