import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../../test/database/database.ts';
import { findCity, findPostalCode, isAboutThere, parsePostalCode } from './account-place.ts';

const codes: [text: string, stored: string | undefined][] = [
  ['90210', 'US 90210'],
  [' 90210 ', 'US 90210'],
  ['90210-1234', 'US 90210'],
  ['902101234', 'US 90210'],
  ['K1A 0B1', 'CA K1A'],
  ['k1a0b1', 'CA K1A'],
  ['K1A-0B1', 'CA K1A'],
  ['K1A', 'CA K1A'],
  ['9021', undefined],
  ['902101', undefined],
  ['SW1A 1AA', undefined],
  ['９０２１０', undefined],
  ['', undefined],
];
for (const [text, stored] of codes) {
  test(`postal code "${text}" is ${stored ?? 'none'}`, () => {
    const postal = parsePostalCode(text);
    assert.equal(postal && `${postal.countryCode} ${postal.code}`, stored);
  });
}

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
  await database.pool.query(`
    INSERT INTO regions (id, parent_id, kind, code, name, latitude, longitude) VALUES
      (0, NULL, 'root', 'root', 'World', NULL, NULL),
      (1, 0, 'continent', 'continent:NA', 'North America', NULL, NULL),
      (2, 1, 'country', 'country:US', 'United States', 40, -74),
      (3, 1, 'country', 'country:CA', 'Canada', 43, -79),
      (10, 2, 'city', 'city:1', 'New York City', 40.714, -74.006),
      (11, 2, 'city', 'city:2', 'York', 40, -76.7),
      (12, 2, 'city', 'city:3', 'Portland', 45.5, -122.7),
      (13, 2, 'city', 'city:4', 'Portland', 43.7, -70.3),
      (14, 2, 'city', 'city:5', 'Saint Paul', 44.9, -93.1),
      (15, 3, 'city', 'city:6', 'York', 43.7, -79.5);
    INSERT INTO countries (id, code, name, region_id) VALUES (1, 'US', 'United States', 2), (2, 'CA', 'Canada', 3);
    INSERT INTO cities (id, country_id, name_key, other_name_keys, population, zone) VALUES
      (10, 1, 'new york city', '{new york,york}', 8175133, 'America/New_York'),
      (11, 1, 'york', '{}', 900000, 'America/New_York'),
      (12, 1, 'portland', '{}', 632309, 'America/Los_Angeles'),
      (13, 1, 'portland', '{}', 66881, 'America/New_York'),
      (14, 1, 'saint paul', '{}', 300851, 'America/Chicago'),
      (15, 2, 'york', '{}', 140000, 'America/Toronto');
    INSERT INTO postal_codes (country_id, code, city, region_id, latitude, longitude, zone) VALUES
      (1, '10001', 'New York', 10, 40.75, -73.99, 'America/New_York'),
      (2, 'M6M', 'York', 15, 43.69, -79.48, 'America/Toronto')`);
});
after(() => database[Symbol.asyncDispose]());

test('a city beside a postal code is there when it is called so, or lies near', async () => {
  const place = await findPostalCode(database.pool, 1, '10001');
  assert.ok(place);
  const cases: [city: string, isThere: boolean][] = [
    ['New York', true],
    ['new york, NY', true],
    ['York', true],
    ['Portland', false],
    ['Portland, Oregon', false],
    ['Nowhere at all', true],
  ];
  for (const [city, isThere] of cases)
    assert.equal(await isAboutThere(database.pool, 1, city, place), isThere, city);
});

test('a postal code leads to its city, with a coordinate of its own', async () => {
  assert.deepEqual(await findPostalCode(database.pool, 1, '10001-0001'), {
    regionId: 10,
    city: 'New York',
    coordinate: { latitude: 40.75, longitude: -73.99 },
    zone: 'America/New_York',
  });
  assert.equal((await findPostalCode(database.pool, 2, 'm6m 1a1'))?.regionId, 15);
  assert.equal(await findPostalCode(database.pool, 2, '10001'), undefined);
  assert.equal(await findPostalCode(database.pool, 1, '00000'), undefined);
  assert.equal(await findPostalCode(database.pool, 1, "' OR 1=1"), undefined);
});

const cities: [country: number, name: string, region: number | undefined][] = [
  [1, 'new york', 10],
  [1, 'NEW YORK CITY', 10],
  [1, 'York', 11],
  [2, 'York', 15],
  [1, 'Portland', 12],
  [1, 'Portland, Maine', 12],
  [1, 'St. Paul', 14],
  [1, 'Atlantis', undefined],
  [2, 'Portland', undefined],
  [1, '', undefined],
  [1, ',', undefined],
];
for (const [country, name, region] of cities) {
  test(`"${name}" in country ${country} is region ${region ?? 'none'}`, async () => {
    assert.equal((await findCity(database.pool, country, name))?.regionId, region);
  });
}

test('a city is found with its coordinate and zone', async () => {
  assert.deepEqual(await findCity(database.pool, 1, 'Portland'), {
    regionId: 12,
    city: 'Portland',
    coordinate: { latitude: 45.5, longitude: -122.7 },
    zone: 'America/Los_Angeles',
  });
});
