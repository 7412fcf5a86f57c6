import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../../test/database/database.ts';
import { findStationRow, listStations } from './stations.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
  await database.pool.query(`
    INSERT INTO stations (id, name, name_key, slogan, homepage, popularity)
    SELECT n, 'Station ' || n, 'station ' || n, 'Slogan', 'https://s.example/', n FROM generate_series(1, 9) n;
    INSERT INTO stations (id, name, name_key) VALUES (${Number.MAX_SAFE_INTEGER - 1}, 'Far', 'far')`);
});
after(() => database[Symbol.asyncDispose]());

test('a station by its id; an id that no station has finds nothing', async () => {
  const { pool } = database;
  assert.equal((await findStationRow(pool, 1))?.name, 'Station 1');
  assert.equal((await findStationRow(pool, Number.MAX_SAFE_INTEGER - 1))?.id, Number.MAX_SAFE_INTEGER - 1);
  for (const id of [0, 10, Number.MAX_SAFE_INTEGER]) assert.equal(await findStationRow(pool, id), undefined);
});

test('stations by their ids, without those that are none', async () => {
  const found = await listStations(database.pool, [3, 77, 1, Number.MAX_SAFE_INTEGER]);
  assert.deepEqual(new Set(found.map(({ id }) => id)), new Set([1, 3]));
  assert.deepEqual(await listStations(database.pool, []), []);
});

test('a station that was merged into another one is found as that one', async () => {
  await database.pool.query('UPDATE stations SET merged_into = 7 WHERE id = 8');
  assert.equal((await findStationRow(database.pool, 8))?.id, 7);
});
