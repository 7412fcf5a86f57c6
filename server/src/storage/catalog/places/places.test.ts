import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../../test/database/database.ts';
import { type CityRow, listCountries, listStates, readCities } from './places.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
  await database.pool.query(`
    INSERT INTO regions (id, parent_id, kind, code, name, latitude, longitude) VALUES
      (0, NULL, 'root', 'root', 'World', NULL, NULL),
      (1, 0, 'continent', 'continent:EU', 'Europe', NULL, NULL),
      (2, 0, 'continent', 'continent:AF', 'Africa', NULL, NULL),
      (3, 1, 'country', 'country:DE', 'Germany', 52.5, 13.4),
      (4, 1, 'country', 'country:AT', 'Austria', 48.2, 16.4),
      (5, 3, 'state', 'state:DE.04', 'Hamburg', 53.5, 10),
      (6, 5, 'city', 'city:2911298', 'Hamburg', 53.57, 10.01),
      (7, 3, 'state', 'state:DE.02', 'Bavaria', 48.1, 11.6);
    INSERT INTO countries (id, code, name, region_id, language_codes, zone) VALUES
      (1, 'DE', 'Germany', 3, '{de}', 'Europe/Berlin'), (2, 'AT', 'Austria', 4, '{de}', NULL);
    INSERT INTO cities (id, country_id, state_id, name_key, other_name_keys, population, zone)
      SELECT 6, 1, 5, 'hamburg', '{hambourg}', 1739117, 'Europe/Berlin';
    INSERT INTO regions (id, parent_id, kind, code, name) SELECT n, 4, 'city', 'city:' || n, 'City ' || n
      FROM generate_series(10000, 12499) AS n;
    INSERT INTO cities (id, country_id, name_key, zone) SELECT n, 2, 'city ' || n, 'Europe/Vienna'
      FROM generate_series(10000, 12499) AS n;
    INSERT INTO stations (name, name_key, region_id, listed) VALUES
      ('A', 'a', 6, true), ('B', 'b', 6, true), ('C', 'c', 4, true), ('D', 'd', 7, false), ('E', 'e', NULL, true)`);
});
after(() => database[Symbol.asyncDispose]());

test('countries come by name', async () => {
  const countries = await listCountries(database.pool);
  assert.deepEqual(
    countries.map(({ code, zone }) => [code, zone]),
    [
      ['AT', null],
      ['DE', 'Europe/Berlin'],
    ],
  );
});

test('states are those under a country', async () => {
  const states = await listStates(database.pool);
  assert.deepEqual(states.map(({ code }) => code).toSorted(), ['state:DE.02', 'state:DE.04']);
});

const read = (...countryIds: number[]): Promise<CityRow[]> =>
  Array.fromAsync(readCities(database.pool, countryIds));

test('cities are read whole across pages, of the countries that are asked', async () => {
  assert.equal(new Set((await read(1, 2)).map(({ id }) => id)).size, 2501);
  assert.equal((await read(2)).length, 2500);
  assert.deepEqual(
    (await read(1)).map(({ other_name_keys: names }) => names),
    [['hambourg']],
  );
  assert.deepEqual(await read(), []);
});
