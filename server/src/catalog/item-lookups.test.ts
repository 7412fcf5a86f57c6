import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../test/database.ts';
import { findAffiliate, idsOfAffiliate, listAffiliatesOfStation } from './affiliates.ts';
import { findAlias } from './aliases.ts';
import { findImageAddress } from './images.ts';
import { listLanguages } from './languages.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
  await database.pool.query(`
    INSERT INTO stations (id, name, name_key) VALUES (1, 'One', 'one'), (2, 'Two', 'two');
    INSERT INTO affiliates (id, name, name_key) VALUES (1, 'Town Radio', 'town'), (2, 'Big Network', 'big');
    INSERT INTO station_affiliates VALUES (1, 1), (1, 2), (2, 1);
    INSERT INTO aliases VALUES ('elsewhere', 'x1', 's', 1);
    INSERT INTO images (kind, item_id, address) VALUES ('s', 1, 'https://logo.example/1');
    INSERT INTO languages (code, name) VALUES ('de', 'German'), ('ar', 'Arabic')`);
});
after(() => database[Symbol.asyncDispose]());

const NOBODY = Number.MAX_SAFE_INTEGER;

test('an alias leads to one item, in its own scheme only', async () => {
  const { pool } = database;
  assert.deepEqual(await findAlias(pool, 'elsewhere', 'x1'), { kind: 's', item_id: 1 });
  assert.equal(await findAlias(pool, 'elsewhere', 'X1'), undefined);
  assert.equal(await findAlias(pool, 'other', 'x1'), undefined);
});

test('networks of a station and stations of a network', async () => {
  const { pool } = database;
  assert.deepEqual(await findAffiliate(pool, 1), { id: 1, name: 'Town Radio', homepage: null });
  assert.equal(await findAffiliate(pool, NOBODY), undefined);
  const names = (await listAffiliatesOfStation(pool, 1)).map(({ name }) => name);
  assert.deepEqual(names, ['Big Network', 'Town Radio']);
  assert.deepEqual(await listAffiliatesOfStation(pool, NOBODY), []);
  assert.deepEqual(new Set(await idsOfAffiliate(pool, 1)), new Set([1, 2]));
  assert.deepEqual(await idsOfAffiliate(pool, NOBODY), []);
});

test('a picture belongs to one kind of item', async () => {
  const { pool } = database;
  assert.equal(await findImageAddress(pool, 's', 1), 'https://logo.example/1');
  assert.equal(await findImageAddress(pool, 'p', 1), undefined);
  assert.equal(await findImageAddress(pool, 's', NOBODY), undefined);
});

test('languages come by name', async () => {
  const codes = (await listLanguages(database.pool)).map(({ code }) => code);
  assert.deepEqual(codes, ['ar', 'de']);
});
