import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../../test/database/database.ts';
import { transaction } from '../../db/transaction.ts';
import { bumpCatalogue, CATALOGUE_CHANNEL } from './version.ts';
import { catalogueVersion, editCatalogue } from '../../../../test/database/catalogue/edit-catalogue.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database[Symbol.asyncDispose]());

test('a bump moves the version by one and tells whoever listens', async () => {
  const { pool } = database;
  const listener = await pool.connect();
  await listener.query(`LISTEN ${CATALOGUE_CHANNEL}`);
  const earlier = await catalogueVersion(pool);
  const heard = once(listener, 'notification', { signal: AbortSignal.timeout(5000) });
  assert.equal(await transaction(pool, bumpCatalogue), earlier + 1);
  const [notice] = await heard;
  assert.deepEqual([notice.channel, notice.payload], ['catalogue', String(earlier + 1)]);
  assert.equal(await catalogueVersion(pool), earlier + 1);
  listener.release(true);
});

test('a transaction that fails leaves the version where it was', async () => {
  const { pool } = database;
  const earlier = await catalogueVersion(pool);
  const failing = transaction(pool, async (client) => {
    await bumpCatalogue(client);
    throw new Error('changed my mind');
  });
  await assert.rejects(failing, /changed my mind/);
  assert.equal(await catalogueVersion(pool), earlier);
});

test('bumps at the same time are all counted', async () => {
  const { pool } = database;
  const earlier = await catalogueVersion(pool);
  await Promise.all(Array.from({ length: 20 }, () => transaction(pool, bumpCatalogue)));
  assert.equal(await catalogueVersion(pool), earlier + 20);
});

test('an edit that finds nothing moves nothing', async () => {
  const { pool } = database;
  const earlier = await catalogueVersion(pool);
  assert.equal(await editCatalogue(pool, async () => []), false);
  assert.equal(await catalogueVersion(pool), earlier);
});

test('a catalogue without its row says how to restore it', async () => {
  const { pool } = database;
  const empty = transaction(pool, async (client) => {
    await client.query('DELETE FROM catalogue');
    await catalogueVersion(client);
  });
  await assert.rejects(empty, /INSERT INTO catalogue/);
});
