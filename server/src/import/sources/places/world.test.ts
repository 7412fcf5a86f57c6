import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { createGunzip } from 'node:zlib';
import { type TestDatabase, testDatabase } from '../../../../test/database/database.ts';
import { REAL_STATIONS, REAL_STATION_RECORDS, withoutRealData } from '../../../../test/content/real-data.ts';
import { findCity, findPostalCode } from '../../../storage/catalog/places/account-place.ts';
import {
  LazyPlaceResolver,
  type PlaceResolver,
  type ResolvedPlace,
  loadPlaceResolver,
} from '../../../storage/catalog/places/place-resolver.ts';
import { listCountries } from '../../../storage/catalog/places/places.ts';
import { coordinate } from '../../../lib/geo.ts';
import type { PlacesSummary } from './places.ts';
import { collectGarbage } from '../../../../test/processes/collect-garbage.ts';

/**
 * All places of the world, imported by a process of its own, so that it can be killed and its memory measured; with the
 * small heap that the command line gives it.
 */
const IMPORT = `
  import { createPool } from '${import.meta.resolve('../../../storage/db/pool.ts')}';
  import { importPlaces } from '${import.meta.resolve('./places.ts')}';
  const pool = createPool({ databaseUrl: process.argv[1], size: 2, applicationName: 'test' });
  const summary = await importPlaces(pool, ({ what, done }) => console.log(what, done));
  await pool.end();
  console.log(JSON.stringify({ summary, maxRssKb: process.resourceUsage().maxRSS }));`;

/** The lines that it wrote; killed without warning after one that begins so. */
async function runImport(url: string, killAfter?: string): Promise<string[]> {
  const options = ['--max-old-space-size=128', '--input-type=module', '--eval', IMPORT];
  const child = spawn(process.execPath, [...options, url], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exit = once(child, 'exit');
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (killAfter !== undefined && line.startsWith(killAfter)) child.kill('SIGKILL');
  }
  const [code, signal] = await exit;
  assert.equal(signal ?? code, killAfter === undefined ? 0 : 'SIGKILL');
  return lines;
}

let database: TestDatabase;
let resolver: PlaceResolver;
before(async () => {
  database = await testDatabase();
});
after(() => database[Symbol.asyncDispose]());

test('an import that is killed is finished by the next, in less than 300 MB', async (t) => {
  await runImport(database.url, 'cities 20000');
  const kept = await database.pool.query('SELECT count(*) AS count, max(id) AS last FROM cities');
  assert.ok(kept.rows[0].count >= 20_000 && kept.rows[0].count <= 40_000, 'whole batches are kept');
  const lines = await runImport(database.url);
  const { summary, maxRssKb }: { summary: PlacesSummary; maxRssKb: number } = JSON.parse(lines.at(-1) ?? '');
  assert.deepEqual(summary.states, { read: 3865, added: 0, changed: 0 });
  assert.equal(summary.cities.changed, 0);
  assert.equal(summary.cities.added, summary.cities.read - kept.rows[0].count);
  assert.ok(summary.cities.read > 130_000);
  t.diagnostic(`${Math.round(maxRssKb / 1024)} MB`);
  assert.ok(maxRssKb < 300 * 1024, `${Math.round(maxRssKb / 1024)} MB`);
});

test('every city is under its country, by way of a state where there is one', async () => {
  const { rows } = await database.pool.query(`SELECT count(*) FILTER (WHERE s.id IS NULL) AS stateless,
      count(*) FILTER (WHERE n.region_id <> coalesce(s.parent_id, r.parent_id)) AS astray
    FROM cities AS c JOIN regions AS r ON r.id = c.id JOIN countries AS n ON n.id = c.country_id
    LEFT JOIN regions AS s ON s.id = r.parent_id AND s.kind = 'state'`);
  assert.equal(rows[0].astray, 0);
  assert.ok(rows[0].stateless < 100, `${rows[0].stateless} cities without a state`);
});

test('accounts find their place', async () => {
  const countries = new Map((await listCountries(database.pool)).map(({ code, id }) => [code, id]));
  const [us = 0, ca = 0, de = 0] = ['US', 'CA', 'DE'].map((code) => countries.get(code));
  assert.equal((await findPostalCode(database.pool, us, '90210'))?.city, 'Beverly Hills');
  assert.equal((await findPostalCode(database.pool, ca, 'H2X 1Y4'))?.zone, 'America/Toronto');
  assert.equal((await findCity(database.pool, us, 'New York'))?.city, 'New York City');
  assert.equal((await findCity(database.pool, de, 'Koeln'))?.city, 'Köln');
});

function usedBytes(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

test('the resolver keeps less than 80 MB', async (t) => {
  const earlier = usedBytes();
  resolver = await loadPlaceResolver(database.pool);
  const megabytes = (usedBytes() - earlier) / 1e6;
  t.diagnostic(`${Math.round(megabytes)} MB`);
  assert.ok(megabytes > 10 && megabytes < 80, `${Math.round(megabytes)} MB`);
});

test('countries are read when they are first named, each once, whoever asks at the same time', async (t) => {
  const at = { latitude: 51.9, longitude: -8.47 };
  const said = [
    { countryCode: 'IE', city: 'Cork' },
    { countryCode: 'IE', city: 'Galway' },
    { countryCode: 'FR', coordinate: { latitude: -20.9, longitude: 55.5 } },
    { countryName: 'Austria', state: 'Wien' },
    { city: 'Nowhere' },
    { coordinate: at },
  ];
  const lazily = await LazyPlaceResolver.open(database.pool);
  assert.deepEqual(
    await Promise.all(said.map((each) => lazily.resolve(each))),
    said.map((each) => resolver.resolve(each)),
  );
  const another = await LazyPlaceResolver.open(database.pool);
  const query = t.mock.method(database.pool, 'query');
  await Promise.all([another.resolve({ countryCode: 'LU' }), another.resolve({ countryCode: 'LU' })]);
  assert.equal(query.mock.callCount(), 1);
});

interface Station {
  countrycode?: string;
  country?: string;
  state?: string;
  city?: string;
  geo_lat?: number;
  geo_long?: number;
}

async function* readStations(): AsyncGenerator<Station> {
  const input = createReadStream(REAL_STATIONS).pipe(createGunzip());
  for await (const line of createInterface({ input })) yield JSON.parse(line);
}

test(
  'real stations are placed, nearly all that say more than a country in a city',
  { skip: withoutRealData },
  async (t) => {
    const found: Record<ResolvedPlace['found'], number> = { city: 0, state: 0, country: 0, nothing: 0 };
    let [dropped, elapsedMs, precise] = [0, 0, 0];
    const lazily = await LazyPlaceResolver.open(database.pool);
    const otherwise: unknown[] = [];
    for await (const { countrycode, country, state, city, geo_lat: lat, geo_long: lon } of readStations()) {
      const at = coordinate(lat ?? Number.NaN, lon ?? Number.NaN);
      const start = performance.now();
      const said = { countryCode: countrycode, countryName: country, state, city, coordinate: at };
      const place = resolver.resolve(said);
      elapsedMs += performance.now() - start;
      if (!isDeepStrictEqual(await lazily.resolve(said), place)) otherwise.push(said);
      found[place.found] += 1;
      if (place.coordinateDropped) dropped += 1;
      if (city ?? at) precise += 1;
    }
    const total = found.city + found.state + found.country + found.nothing;
    assert.equal(total, REAL_STATION_RECORDS);
    assert.deepEqual(otherwise, [], 'read country by country, the world is the same');
    t.diagnostic(`${JSON.stringify(found)}, ${dropped} coordinates dropped`);
    t.diagnostic(`${((elapsedMs * 1000) / total).toFixed(1)} µs a station`);
    assert.ok(found.city > precise * 0.98, `${found.city} of ${precise} in a city`);
    assert.ok(found.nothing < total * 0.03, `${found.nothing} of ${total} nowhere`);
    assert.ok(dropped < precise * 0.02, `${dropped} coordinates dropped`);
    assert.ok((elapsedMs * 1000) / total < 500, 'placing a station takes microseconds');
  },
);
