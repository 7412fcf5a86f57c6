import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../../test/database/database.ts';
import { listLanguages } from './station-groups.ts';
import { listAffiliatesOfStation } from '../../../../test/database/catalogue/affiliates-of-station.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
  await database.pool.query(`
    INSERT INTO stations (id, name, name_key) VALUES (1, 'One', 'one'), (2, 'Two', 'two');
    INSERT INTO affiliates (id, name, name_key) VALUES (1, 'Town Radio', 'town'), (2, 'Big Network', 'big');
    INSERT INTO station_affiliates VALUES (1, 1), (1, 2), (2, 1);
    INSERT INTO languages (code, name) VALUES ('de', 'German'), ('ar', 'Arabic')`);
});
after(() => database[Symbol.asyncDispose]());

const NOBODY = Number.MAX_SAFE_INTEGER;

test('the networks of a station, by name', async () => {
  const { pool } = database;
  const names = (await listAffiliatesOfStation(pool, 1)).map(({ name }) => name);
  assert.deepEqual(names, ['Big Network', 'Town Radio']);
  assert.deepEqual(await listAffiliatesOfStation(pool, NOBODY), []);
});

test('languages come by name', async () => {
  const codes = (await listLanguages(database.pool)).map(({ code }) => code);
  assert.deepEqual(codes, ['ar', 'de']);
});
