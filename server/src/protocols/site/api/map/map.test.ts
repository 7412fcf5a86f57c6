import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type SeededDirectory, seededDirectory } from '../../../../../test/content/seeded-directory.ts';
import { Aliases } from '../../../../core/directory/lookup/by-any-id.ts';
import type { SiteAnswer, SiteCall } from '../../session/site-endpoint.ts';
import { Listings } from '../../../../core/directory/listing/listings.ts';
import { Finder } from '../../../../core/search/finder.ts';
import { mapColumns } from './map.ts';
import { mapLabels } from './map-labels.ts';
import type { SiteApiContext } from '../deps.ts';
import { ROUTES } from '../routes.ts';

let seeded: SeededDirectory;

before(async () => {
  seeded = await seededDirectory();
});

after(() => seeded[Symbol.asyncDispose]());

/** What the map says depends on nobody's call, and on nothing but the directory. */
async function ask(path: string): Promise<SiteAnswer> {
  const route = ROUTES.find((each) => each.path === path);
  assert.equal(route?.who, 'anyone');
  const { pool: db } = seeded.database;
  const context: SiteApiContext = {
    directory: seeded.directory,
    db,
    aliases: new Aliases(db),
    finder: new Finder(db),
    listings: new Listings(),
    members: undefined,
    admitSuggestion: () => assert.fail('a map takes from no limit'),
    takeFrom: () => assert.fail('a map is for everybody'),
  };
  // oxlint-disable-next-line no-unsafe-type-assertion -- see above
  return route.answer({} as SiteCall, context);
}

const readJson = ({ file }: SiteAnswer) => JSON.parse(file?.bytes.toString('utf8') ?? '');

test('every station with a coordinate is on the map once, where it is, the most popular first', async () => {
  const { version, points } = readJson(await ask('map'));
  const placed = seeded.directory.current().stations.filter(({ coordinate }) => coordinate);
  assert.ok(placed.length > 3);
  assert.equal(version, seeded.directory.current().version);
  assert.deepEqual(
    points.id,
    placed.map(({ id }) => id),
  );
  assert.deepEqual(
    points.popularity,
    points.popularity.toSorted((one: number, other: number) => other - one),
  );
  for (const [at, { coordinate }] of placed.entries()) {
    assert.ok(Math.abs(points.lat[at] / 1000 - coordinate!.latitude) <= 0.0005);
    assert.ok(Math.abs(points.lon[at] / 1000 - coordinate!.longitude) <= 0.0005);
  }
});

test('names stand in the order of the points, and each place is written once', async () => {
  const { points } = readJson(await ask('map'));
  const { names } = readJson(await ask('map/names'));
  const { stationById } = seeded.directory.current();
  const given = points.id.map((_id: number, at: number) => [names.name[at], names.places[names.place[at]]]);
  assert.deepEqual(
    given,
    points.id.map((id: number) => [stationById.get(id)?.name, stationById.get(id)?.placeName]),
  );
  assert.equal(new Set(names.places).size, names.places.length);
});

test('what many ask for is made once, may be kept by all, and is known by its tag', async () => {
  const [one, other] = await Promise.all([ask('map'), ask('map')]);
  assert.equal(one.file?.bytes, other.file?.bytes);
  assert.match(one.etag ?? '', /^"[\w-]{22}"$/);
  assert.notEqual(one.etag, (await ask('map/names')).etag);
  assert.deepEqual([one.isForAll, one.maxAgeSeconds], [true, 300]);
});

test('a station of which only the country is known is not on the map', async () => {
  const [first, ...others] = seeded.directory.current().stations;
  const { points, names } = await mapColumns({ stations: [{ ...first!, coordinate: undefined }, ...others] });
  assert.deepEqual(
    points.id,
    others.map(({ id }) => id),
  );
  assert.equal(names.name[0], others[0]?.name);
});

test('beyond the limit the least popular are left out', async () => {
  const { points, names } = await mapColumns(seeded.directory.current(), 2);
  const all = await mapColumns(seeded.directory.current());
  assert.deepEqual(points.id, all.points.id.slice(0, 2));
  assert.equal(names.name.length, 2);
});

test('countries and towns are told once, with their stations on the map, the most first', async () => {
  const { labels } = readJson(await ask('map/labels'));
  const { stations, regionById } = seeded.directory.current();
  const placed = stations.filter(({ coordinate }) => coordinate);
  const townOf = (regionId: number | undefined) => {
    const region = regionById.get(regionId ?? Number.NaN);
    return region?.kind === 'city' ? region.name : undefined;
  };
  const towns = Map.groupBy(placed, ({ regionId }) => townOf(regionId));
  towns.delete(undefined);
  assert.ok(towns.size > 1);
  assert.deepEqual(
    new Map(labels.towns.name.map((name: string, at: number) => [name, labels.towns.count[at]])),
    new Map([...towns].map(([name, those]) => [name, those.length])),
  );
  const countries = Map.groupBy(placed, ({ countryCode }) => countryCode);
  countries.delete(undefined);
  assert.deepEqual(new Set(labels.countries.code), new Set(countries.keys()));
  for (const { count } of [labels.towns, labels.countries])
    assert.deepEqual(
      count,
      count.toSorted((one: number, other: number) => other - one),
    );
  for (const [at, name] of labels.towns.name.entries()) {
    const { coordinate } = [...regionById.values()].find((region) => region.name === name) ?? {};
    if (coordinate) assert.ok(Math.abs(labels.towns.lat[at] / 1000 - coordinate.latitude) <= 0.0005);
  }
});

test('a country is at the town with most of its stations, and the smallest towns are left out', async () => {
  const snapshot = seeded.directory.current();
  const placed = snapshot.stations.find(
    ({ coordinate, regionId, countryCode }) =>
      coordinate && countryCode && snapshot.regionById.get(regionId ?? Number.NaN)?.kind === 'city',
  );
  assert.ok(placed?.coordinate);
  const town = snapshot.regionById.get(placed.regionId ?? Number.NaN);
  const elsewhere = { ...placed, regionId: undefined, coordinate: { latitude: 1, longitude: 1 } };
  const { countries, towns } = await mapLabels({ ...snapshot, stations: [elsewhere, placed] }, 1);
  assert.deepEqual([countries.code, countries.count], [[placed.countryCode], [2]]);
  const { latitude } = town?.coordinate ?? placed.coordinate;
  assert.deepEqual(countries.lat, [Math.round(latitude * 1000)]);
  assert.deepEqual([towns.name, towns.count], [[town?.name], [1]]);
  assert.deepEqual((await mapLabels({ ...snapshot, stations: [placed] }, 0)).towns.name, []);
});
