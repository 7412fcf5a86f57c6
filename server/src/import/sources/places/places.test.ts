import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../../test/database/database.ts';
import { withImportSession } from '../../pipeline/import-lock.ts';
import type { CityRecord } from './cities.ts';
import { importPlaces, type PlacesProgress, type PlacesSummary } from './places.ts';
import { packagedPlaces, type PlaceData } from './rows.ts';
import { catalogueVersion } from '../../../../test/database/catalogue/edit-catalogue.ts';

const COUNTRIES = new Set(['AD', 'LU', 'MT', 'PR', 'US']);
const packaged = packagedPlaces();
const ofCountry = (code: string): boolean => COUNTRIES.has(code.slice(0, 2));

const isWanted = ({ countryCode, population }: CityRecord): boolean =>
  ofCountry(countryCode) && (countryCode !== 'US' || population > 500_000);

/** The real data of a few small countries, and of the United States a few cities. */
const cities = [...packaged.readCities()].filter(isWanted);
const currentCities = (await Array.fromAsync(packaged.readCurrentCities())).filter(({ country }) =>
  ofCountry(country),
);
const some: PlaceData = {
  countries: packaged.countries.filter(({ code }) => ofCountry(code)),
  states: packaged.states.filter(({ code }) => ofCountry(code)),
  languages: packaged.languages,
  readCities: () => cities,
  async *readCurrentCities() {
    yield* currentCities;
  },
  listPostalRecords: () =>
    Iterator.from(packaged.listPostalRecords()).filter(({ code }) => code.startsWith('009')),
};
const VALLETTA = 2562305;
const ANDORRA = 3041563;
const DIFFERDANGE = 2960634;

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database[Symbol.asyncDispose]());

const importSome = (data: PlaceData = some): Promise<PlacesSummary> =>
  importPlaces(database.pool, () => undefined, data);

async function rows(sql: string): Promise<Record<string, unknown>[]> {
  return (await database.pool.query(sql)).rows;
}

const allIds = (): Promise<Record<string, unknown>[]> =>
  rows(`SELECT 'r' || id AS id, code FROM regions UNION ALL SELECT 'n' || id, code FROM countries
    UNION ALL SELECT 'l' || id, code FROM languages ORDER BY 1`);

const changesOf = (summary: PlacesSummary): Record<string, [added: number, changed: number]> =>
  Object.fromEntries(
    Object.entries(summary)
      .filter(([, { added, changed }]) => added + changed > 0)
      .map(([kind, { added, changed }]) => [kind, [added, changed]]),
  );

test('an empty database is filled, and progress told', async () => {
  const said: PlacesProgress[] = [];
  const version = await catalogueVersion(database.pool);
  const summary = await importPlaces(database.pool, (progress) => void said.push(progress), some);
  for (const { read, added, changed } of Object.values(summary)) {
    assert.ok(read > 0);
    assert.deepEqual([added, changed], [read, 0]);
  }
  assert.deepEqual(said.at(-1), { done: 426, total: 426, what: 'languages' });
  const last = said.findLast(({ what }) => what === 'cities');
  assert.deepEqual(last, { done: cities.length, total: cities.length, what: 'cities' });
  assert.equal(await catalogueVersion(database.pool), version + 1);
});

test('the tree hangs together', async () => {
  const path = await rows(`WITH RECURSIVE up AS (
      SELECT * FROM regions WHERE code = 'city:3041563'
      UNION ALL SELECT p.* FROM up JOIN regions AS p ON p.id = up.parent_id)
    SELECT kind, code, name FROM up`);
  assert.deepEqual(path, [
    { kind: 'city', code: 'city:3041563', name: 'Andorra la Vella' },
    { kind: 'state', code: 'state:AD.07', name: 'Andorra la Vella' },
    { kind: 'country', code: 'country:AD', name: 'Andorra' },
    { kind: 'continent', code: 'continent:EU', name: 'Europe' },
    { kind: 'root', code: 'root', name: 'By Location' },
  ]);
  assert.deepEqual(await rows("SELECT id FROM regions WHERE code IN ('root', 'continent:EU') ORDER BY id"), [
    { id: 0 },
    { id: 101217 },
  ]);
  assert.deepEqual(
    await rows("SELECT min(id) > 200000 AS own FROM regions WHERE kind IN ('country', 'city')"),
    [{ own: true }],
  );
});

test('a city has its names, people, zone and state', async () => {
  const [city] = await rows(`SELECT name_key, other_name_keys @> '{la valette,валлетта}' AS names, population,
      c.zone, s.code AS state, n.code AS country FROM cities AS c JOIN regions AS r ON r.id = c.id
    JOIN regions AS s ON s.id = c.state_id JOIN countries AS n ON n.id = c.country_id
    WHERE r.code = 'city:2562305'`);
  assert.deepEqual(city, {
    name_key: 'valletta',
    names: true,
    population: 6794,
    zone: 'Europe/Malta',
    state: 'state:MT.60',
    country: 'MT',
  });
});

test('a country is where its largest city is, and knows its languages', async () => {
  const [country] = await rows(`SELECT c.name, c.language_codes, c.zone, l.name AS largest
    FROM countries AS c JOIN regions AS r ON r.id = c.region_id
    JOIN regions AS l ON l.kind = 'city' AND (l.latitude, l.longitude) = (r.latitude, r.longitude)
    WHERE c.code = 'LU'`);
  assert.deepEqual(country, {
    name: 'Luxembourg',
    language_codes: ['fr', 'de', 'lb'],
    zone: 'Europe/Luxembourg',
    largest: 'Luxembourg',
  });
});

test('a postal code leads to the city it lies in, for both countries that use it', async () => {
  const found = await rows(`SELECT n.code AS country, r.name, p.zone FROM postal_codes AS p
    JOIN countries AS n ON n.id = p.country_id JOIN regions AS r ON r.id = p.region_id
    WHERE p.code = '00901' ORDER BY 1`);
  assert.deepEqual(found, [
    { country: 'PR', name: 'San Juan', zone: 'America/Puerto_Rico' },
    { country: 'US', name: 'San Juan', zone: 'America/Puerto_Rico' },
  ]);
});

test('a second import changes nothing and uses up no number', async () => {
  const sequence = 'SELECT last_value FROM regions_id_seq';
  const earlier = [await allIds(), await rows(sequence), await catalogueVersion(database.pool)];
  assert.deepEqual(changesOf(await importSome()), {});
  assert.deepEqual([await allIds(), await rows(sequence), await catalogueVersion(database.pool)], earlier);
});

test('what changes in the data is changed, and keeps its number', async () => {
  const ids = await allIds();
  const renamed: PlaceData = {
    ...some,
    languages: some.languages.map((language) =>
      language.code === 'de' ? { ...language, name: 'High German' } : language,
    ),
    readCities: () =>
      cities.map((city) => {
        if (city.geonameId === VALLETTA) return { ...city, name: 'Il-Belt', population: 5827 };
        return city.geonameId === ANDORRA ? { ...city, population: 30_000 } : city;
      }),
  };
  const version = await catalogueVersion(database.pool);
  assert.deepEqual(changesOf(await importSome(renamed)), { cities: [0, 2], languages: [0, 1] });
  assert.deepEqual(await allIds(), ids);
  assert.equal(await catalogueVersion(database.pool), version + 1);
  const [city] = await rows(
    "SELECT name, population FROM regions JOIN cities USING (id) WHERE code = 'city:2562305'",
  );
  assert.deepEqual(city, { name: 'Il-Belt', population: 5827 });
  assert.deepEqual(changesOf(await importSome()), { cities: [0, 2], languages: [0, 1] });
});

test('what is new is added, what is gone stays', async () => {
  const ids = await allIds();
  await database.pool.query("DELETE FROM languages WHERE code = 'fr'");
  const fewer: PlaceData = {
    ...some,
    readCities: () => cities.filter(({ geonameId }) => geonameId !== DIFFERDANGE),
  };
  assert.deepEqual(changesOf(await importSome(fewer)), { languages: [1, 0] });
  assert.equal((await allIds()).length, ids.length);
});

function* withoutEnd(records: readonly CityRecord[]): Generator<CityRecord> {
  yield* records;
  throw new Error('the disk is gone');
}

test('an import that failed midway is finished by the next, which tells the servers', async () => {
  await database.pool.query("UPDATE regions SET name = '?' WHERE kind IN ('country', 'city')");
  let reads = 0;
  const broken: PlaceData = { ...some, readCities: () => (++reads === 1 ? cities : withoutEnd(cities)) };
  const version = await catalogueVersion(database.pool);
  await assert.rejects(importSome(broken), /the disk is gone/);
  assert.equal(await catalogueVersion(database.pool), version, 'nobody is told of half an import');
  const summary = await importSome();
  assert.deepEqual([summary.countries.changed, summary.cities.changed], [0, cities.length]);
  assert.equal(await catalogueVersion(database.pool), version + 1);
});

test('servers are told of what a killed import changed, even when nothing is left to do', async () => {
  await database.pool.query("INSERT INTO import_runs (source) VALUES ('places')");
  const version = await catalogueVersion(database.pool);
  assert.deepEqual(changesOf(await importSome()), {});
  assert.equal(await catalogueVersion(database.pool), version + 1);
  assert.deepEqual(await rows('SELECT FROM import_runs WHERE finished_at IS NULL'), []);
});

test('of two imports at once the second waits for the first', async () => {
  await database.pool.query("UPDATE regions SET name = '?' WHERE kind = 'city'");
  const [first, second] = await Promise.all([importSome(), importSome()]);
  const changed = [first, second].map((summary) => summary.cities.changed);
  assert.deepEqual(new Set(changed), new Set([0, cities.length]));
});

test('an import is refused while another goes on and on', async () => {
  await withImportSession(database.pool, async () => {
    await assert.rejects(
      withImportSession(database.pool, async () => undefined, 200),
      /another import is running on this database; wait/,
    );
  });
  await withImportSession(database.pool, async () => undefined, 1000);
});

test('numbers that are taken already are never given again', async () => {
  await database.pool.query("SELECT setval('regions_id_seq', 5000000)");
  await importSome();
  assert.deepEqual(await rows('SELECT last_value FROM regions_id_seq'), [{ last_value: 5_000_000 }]);
});
