import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../../test/database/database.ts';
import { editStation } from '../../../../test/database/catalogue/edit-station.ts';
import { transaction } from '../../db/transaction.ts';
import { fieldsOf, holdStations, writeFields } from './station-fields.ts';
import { findStationRow } from './stations.ts';
import { catalogueVersion } from '../../../../test/database/catalogue/edit-catalogue.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
  await database.pool.query(`
    INSERT INTO stations (id, name, name_key, slogan, homepage, popularity)
    SELECT n, 'Station ' || n, 'station ' || n, 'Slogan', 'https://s.example/', n FROM generate_series(1, 9) n;
    INSERT INTO genres (id, slug, name, position) SELECT n, 'g' || n, 'G', n FROM generate_series(1, 3) n;
    INSERT INTO streams (id, station_id, address, address_key) VALUES (5, 7, 'http://a.example/', gen_random_uuid())`);
});
after(() => database[Symbol.asyncDispose]());

test('an edit sets and pins its columns, leaves the others, and moves the version', async () => {
  const { pool } = database;
  const earlier = await catalogueVersion(pool);
  assert.equal(await editStation(pool, 2, { name: 'Town "FM" \\ 1', slogan: null, listed: false }), true);
  assert.equal(await editStation(pool, 2, { latitude: 51.5, longitude: -0.1, listed: false }), true);
  const station = await findStationRow(pool, 2);
  assert.deepEqual(station?.pinned, ['latitude', 'listed', 'longitude', 'name', 'slogan']);
  const { name, slogan, homepage, popularity, listed, latitude, longitude } = station;
  assert.deepEqual(
    { name, slogan, homepage, popularity, listed, latitude, longitude },
    {
      name: 'Town "FM" \\ 1',
      slogan: null,
      homepage: 'https://s.example/',
      popularity: 2,
      listed: false,
      latitude: 51.5,
      longitude: -0.1,
    },
  );
  assert.equal(await catalogueVersion(pool), earlier + 2);
});

test('every column that may be edited is written', async () => {
  const changes = {
    name: 'N',
    call_sign: 'WXYZ',
    frequency: '97.9',
    band: 'FM',
    slogan: 'S',
    description: 'D',
    homepage: 'https://h.example/',
    country_id: null,
    region_id: null,
    latitude: 1,
    longitude: 2,
    zone: 'Europe/Berlin',
    relay: 'each',
    listed: false,
  };
  await editStation(database.pool, 5, changes);
  const station = await findStationRow(database.pool, 5);
  assert.deepEqual(station, { ...changes, id: 5, popularity: 5, pinned: Object.keys(changes).toSorted() });
});

test('of two edits at once neither undoes the other', async () => {
  const { pool } = database;
  await Promise.all([
    editStation(pool, 3, { name: 'New name' }),
    editStation(pool, 3, { slogan: 'New slogan' }),
    editStation(pool, 3, { zone: 'Europe/Paris' }),
    editStation(pool, 3, { description: 'New description' }),
  ]);
  const station = await findStationRow(pool, 3);
  assert.deepEqual(
    [station?.name, station?.slogan, station?.zone, station?.description],
    ['New name', 'New slogan', 'Europe/Paris', 'New description'],
  );
  assert.deepEqual(station?.pinned, ['description', 'name', 'slogan', 'zone']);
});

test('an edit that finds no station, or that the schema refuses, changes nothing', async () => {
  const { pool } = database;
  const earlier = await catalogueVersion(pool);
  assert.equal(await editStation(pool, 4711, { name: 'Nobody' }), false);
  await assert.rejects(editStation(pool, 4, { slogan: 'kept?', name: '' }), /stations_name_check/);
  await assert.rejects(editStation(pool, 4, { latitude: 1 }), /stations_check/);
  assert.deepEqual((await findStationRow(pool, 4))?.pinned, []);
  assert.equal(await catalogueVersion(pool), earlier);
});

test('what is not editable is not written, whatever the caller sends', async () => {
  await editStation(database.pool, 6, JSON.parse('{"id": 600, "popularity": 600, "pinned": ["x"]}'));
  const station = await findStationRow(database.pool, 6);
  assert.deepEqual([station?.popularity, station?.pinned], [6, []]);
});

test('fields are written and read as they were, lists and streams too, pinned or not', async () => {
  const fields = {
    name: { value: 'Mine', pinned: true },
    genres: { value: [3, 1], pinned: true },
    'stream 5': { value: false, pinned: true },
  } as const;
  const unpinned = {
    name: { value: 'Theirs', pinned: false },
    genres: { value: [2], pinned: false },
    'stream 5': { value: true, pinned: false },
  } as const;
  for (const given of [fields, unpinned]) {
    await transaction(database.pool, async (client) => {
      await holdStations(client, [7]);
      await writeFields(client, 7, given);
      const [held] = await holdStations(client, [7]);
      assert.ok(held);
      assert.deepEqual(await fieldsOf(client, held, ['name', 'genres', 'stream 5']), given);
    });
  }
  assert.deepEqual((await findStationRow(database.pool, 7))?.pinned, []);
});
