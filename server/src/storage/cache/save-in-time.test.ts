import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { Pool } from 'pg';
import { type BlackHole, startBlackHole } from '../../../test/internet/black-hole.ts';
import { type TestDatabase, testDatabase } from '../../../test/database/database.ts';
import { withCallBounds } from '../../lib/deadlines/call-bounds.ts';
import { createPool } from '../db/pool.ts';
import { statement } from '../db/statement.ts';
import { transaction } from '../db/transaction.ts';
import { saveInTime } from './in-time.ts';

const NOTHING_SAVED = { status: 503, code: 'service.unavailable' };
const NOT_KNOWN = { status: 504, code: 'service.outcomeUnknown' };

const keep = statement('test-keep', {}, 'INSERT INTO kept VALUES ($1)');

let database: TestDatabase;
let network: BlackHole;
let pool: Pool;
before(async () => {
  database = await testDatabase();
  await database.pool.query('CREATE TABLE kept (id bigint PRIMARY KEY)');
  network = await startBlackHole(Number(new URL(database.url).port));
  pool = createPool({ databaseUrl: network.urlOf(database.url), size: 2, applicationName: 'test' });
});
after(async () => {
  await pool.end();
  await network[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});
beforeEach(async () => {
  await database.pool.query('TRUNCATE kept');
  await pool.query('SELECT 1');
});

const kept = async (): Promise<number> => (await database.pool.query('SELECT FROM kept')).rowCount ?? 0;

/** Lets the network speak again, and what was begun come to its end. */
async function afterwards(saving: Promise<unknown>): Promise<number> {
  network.resume();
  await saving.catch(() => undefined);
  return kept();
}

test('what is late and was not being committed is refused, and never saved', async () => {
  let work: Promise<unknown> = Promise.resolve();
  const saving = saveInTime(() => {
    work = transaction(pool, async (client) => {
      await keep.run(client, [1]);
      network.hold();
      await keep.run(client, [2]);
    });
    return work;
  }, 200);
  await assert.rejects(saving, NOTHING_SAVED);
  assert.equal(await afterwards(work), 0, 'though the database answers again');
});

test('a save ends before its call does, and is not committed behind its answer', async () => {
  let work: Promise<unknown> = Promise.resolve();
  const startMs = performance.now();
  const saving = withCallBounds(1000, undefined, () =>
    saveInTime(() => {
      work = transaction(pool, async (client) => {
        await keep.run(client, [1]);
        network.hold();
        await keep.run(client, [2]);
      });
      return work;
    }, 60_000),
  );
  await assert.rejects(saving, NOTHING_SAVED);
  assert.ok(performance.now() - startMs < 30_000, 'it did not wait as long as a save otherwise may');
  assert.equal(await afterwards(work), 0);
});

test('what was being committed when the network fell silent is told as not known, and may be there', async () => {
  let work: Promise<unknown> = Promise.resolve();
  const saving = saveInTime(() => {
    work = transaction(pool, async (client) => {
      await keep.run(client, [1]);
      network.hold();
    });
    return work;
  }, 200);
  await assert.rejects(saving, NOT_KNOWN);
  assert.equal(await afterwards(work), 1);
});

test('so is a statement that is a transaction by itself', async () => {
  let work: Promise<unknown> = Promise.resolve();
  const saving = saveInTime(() => {
    network.hold();
    work = keep.run(pool, [1]);
    return work;
  }, 200);
  await assert.rejects(saving, NOT_KNOWN);
  assert.equal(await afterwards(work), 1);
});

test('so is what was saved, where the answer needed one more look', async () => {
  const saving = saveInTime(async () => {
    await keep.run(pool, [1]);
    throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  }, 5000);
  await assert.rejects(saving, NOT_KNOWN);
});

test('what the database refuses for the moment is certainly not saved', async () => {
  const saving = saveInTime(
    () =>
      transaction(pool, async (client) => {
        await client.query('SET LOCAL transaction_read_only = on');
        await keep.run(client, [1]);
      }),
    5000,
  );
  await assert.rejects(saving, NOTHING_SAVED);
  assert.equal(await kept(), 0);
});

test('a mistake stays one', async () => {
  const twice = saveInTime(async () => {
    await keep.run(pool, [1]);
    await keep.run(pool, [1]);
  }, 5000);
  await assert.rejects(twice, { code: '23505' });
});
