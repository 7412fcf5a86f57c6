import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../test/database.ts';
import { editStation, findStation, listStations, type StationChanges } from './stations.ts';
import { catalogueVersion } from './version.ts';

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
  assert.equal((await findStation(pool, 1))?.name, 'Station 1');
  assert.equal((await findStation(pool, Number.MAX_SAFE_INTEGER - 1))?.id, Number.MAX_SAFE_INTEGER - 1);
  for (const id of [0, 10, Number.MAX_SAFE_INTEGER]) assert.equal(await findStation(pool, id), undefined);
});

test('stations by their ids, without those that are none', async () => {
  const found = await listStations(database.pool, [3, 77, 1, Number.MAX_SAFE_INTEGER]);
  assert.deepEqual(new Set(found.map(({ id }) => id)), new Set([1, 3]));
  assert.deepEqual(await listStations(database.pool, []), []);
});

test('an edit sets and pins its columns, leaves the others, and moves the version', async () => {
  const { pool } = database;
  const earlier = await catalogueVersion(pool);
  assert.equal(await editStation(pool, 2, { name: 'Town "FM" \\ 1', slogan: null, listed: false }), true);
  assert.equal(await editStation(pool, 2, { latitude: 51.5, longitude: -0.1, listed: false }), true);
  const station = await findStation(pool, 2);
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
  const changes: Required<StationChanges> = {
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
    listed: false,
  };
  await editStation(database.pool, 5, changes);
  const station = await findStation(database.pool, 5);
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
  const station = await findStation(pool, 3);
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
  assert.deepEqual((await findStation(pool, 4))?.pinned, []);
  assert.equal(await catalogueVersion(pool), earlier);
});

test('what is not editable is not written, whatever the caller sends', async () => {
  await editStation(database.pool, 6, JSON.parse('{"id": 600, "popularity": 600, "pinned": ["x"]}'));
  const station = await findStation(database.pool, 6);
  assert.deepEqual([station?.popularity, station?.pinned], [6, []]);
});
