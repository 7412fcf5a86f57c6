import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testDatabase } from '../../../../test/database/database.ts';
import {
  fillCatalogue,
  randomCatalogue,
  randomNumbers,
  type RandomStation,
} from '../../../../test/content/random-catalogue.ts';
import { type Coordinate, distanceKm } from '../../../lib/geo.ts';
import { ALL_FORMATS, parseFormats } from '../../../lib/stream-format.ts';
import { MAX_PAGE_LENGTH, selectStations } from '../groups/select-stations.ts';
import { compileFilter, type StationFilter } from '../groups/compiled-filter.ts';
import { buildSnapshot } from '../snapshot/build-snapshot.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { near, Nearest, type NearRequest, scan, searchTree } from './near.ts';

const database = await testDatabase();
after(() => database[Symbol.asyncDispose]());

/** Two ways to measure agree to this; at the far side of the earth neither is better. */
const TOLERANCE_KM = 0.001;

/** Where maps are cut, and where stations of the random catalogue crowd. */
const PLACES: Coordinate[] = [
  { latitude: 0, longitude: 180 },
  { latitude: 0, longitude: -180 },
  { latitude: -17.7, longitude: 179.99 },
  { latitude: 5, longitude: -179.99 },
  { latitude: 90, longitude: 0 },
  { latitude: -90, longitude: 123 },
  { latitude: 89.9, longitude: -135 },
  { latitude: 0, longitude: 0 },
];
const FILTERS: StationFilter[] = [
  { formats: ALL_FORMATS },
  { formats: parseFormats('mp3,aac') },
  { formats: parseFormats('wav') },
  { formats: ALL_FORMATS, genreId: 100 },
  { formats: parseFormats('mp3'), genreId: 211, languageId: 6 },
  { formats: parseFormats('mp3'), regionId: 2 },
  { formats: ALL_FORMATS, where: ({ bitrate }) => bitrate > 128 },
  { formats: ALL_FORMATS, genreId: 999_999 },
];

for (const seed of [1, 2, 3]) {
  test(`the nearest are what brute force finds, at the date line and the poles too (seed ${seed})`, async () => {
    const { stations } = randomCatalogue(seed, 600);
    const snapshot = await snapshotOf(stations);
    const coordinates = new Map(stations.map((station) => [station.id, coordinateOf(station)]));
    const random = randomNumbers(seed);
    const anywhere = Array.from({ length: 20 }, () => ({
      latitude: random() * 180 - 90,
      longitude: random() * 360 - 180,
    }));
    for (const place of [...PLACES, ...anywhere]) {
      for (const filter of FILTERS) {
        const request = {
          ...filter,
          offset: Math.floor(random() * 20),
          limit: 1 + Math.floor(random() * 60),
        };
        checkNear(snapshot, coordinates, place, request);
        checkNear(snapshot, coordinates, place, { ...request, withinKm: 100 + random() * 12_000 });
        checkNear(snapshot, coordinates, place, { ...request, withinKm: 38_000 });
      }
    }
  });
}

type Coordinates = ReadonlyMap<number, Coordinate | undefined>;

const coordinateOf = ({ latitude, longitude }: RandomStation): Coordinate | undefined =>
  latitude === null || longitude === null ? undefined : { latitude, longitude };

function checkNear(
  snapshot: Snapshot,
  coordinates: Coordinates,
  place: Coordinate,
  request: NearRequest,
): void {
  const { offset, limit, withinKm = Infinity } = request;
  const kmTo = (id: number): number =>
    distanceKm(place, coordinates.get(id) ?? assert.fail(`${id} has no place`));
  const expected = selectStations(snapshot, { ...request, offset: 0, limit: MAX_PAGE_LENGTH })
    .stations.filter(({ id }) => coordinates.get(id) && kmTo(id) <= withinKm)
    .toSorted((a, b) => kmTo(a.id) - kmTo(b.id));
  const page = near(snapshot, place, request);
  const said = JSON.stringify({ place, request });
  assert.equal(page.stations.length, expected.slice(offset, offset + limit).length, said);
  assert.equal(page.more, expected.length > offset + limit, said);
  assert.equal(new Set(page.stations).size, page.stations.length, 'no station twice');
  for (const [index, station] of page.stations.entries()) {
    assert.ok(expected.includes(station), `${said}: s${station.id} does not fit`);
    const gap = Math.abs(kmTo(station.id) - kmTo(expected[offset + index]?.id ?? Number.NaN));
    assert.ok(gap < TOLERANCE_KM, `${said}: s${station.id} is ${gap} km out of order`);
  }
  checkTies(page.stations, coordinates, offset === 0 ? expected : []);
}

/** Stations on one point come in order of popularity, and none is passed over for one behind it. */
function checkTies(
  page: Snapshot['stations'],
  coordinates: Coordinates,
  expected: Snapshot['stations'],
): void {
  const pointOf = ({ id }: { id: number }): string => JSON.stringify(coordinates.get(id));
  for (const [point, stations] of Map.groupBy(page, pointOf)) {
    const inOrder = stations.toSorted((a, b) => b.popularity - a.popularity || a.id - b.id);
    assert.deepEqual(stations, inOrder);
    if (expected.length > 0)
      assert.deepEqual(stations, expected.filter((s) => pointOf(s) === point).slice(0, stations.length));
  }
}

const station = (id: number, latitude: number, longitude: number, popularity: number): RandomStation => ({
  id,
  name: `Radio ${id}`,
  regionId: null,
  countryId: null,
  latitude,
  longitude,
  popularity,
  listed: true,
  genreIds: [],
  languageIds: [],
  streams: [{ id, format: 'mp3', bitrate: 128, reliability: 50, listed: true }],
});

async function snapshotOf(stations: RandomStation[]): Promise<Snapshot> {
  await fillCatalogue(database.pool, { ...randomCatalogue(1, 0), stations });
  return buildSnapshot(database.pool);
}

const nearIds = (snapshot: Snapshot, place: Coordinate, limit = 9): number[] =>
  near(snapshot, place, { formats: ALL_FORMATS, offset: 0, limit }).stations.map(({ id }) => id);

test('the tree and the scan find the same', async () => {
  const snapshot = await snapshotOf(randomCatalogue(4, 1500).stations);
  const random = randomNumbers(4);
  let searches = 0;
  for (const place of PLACES) {
    for (const filter of FILTERS.filter(({ where }) => !where)) {
      const compiled = compileFilter(snapshot, filter);
      if (!compiled) continue;
      const needed = 1 + Math.floor(random() * 50);
      const withinKm = random() < 0.5 ? Infinity : random() * 10_000;
      searches++;
      assert.deepEqual(
        searchTree(compiled, place, needed, withinKm),
        scan(compiled, place, needed, withinKm),
      );
    }
  }
  assert.ok(searches > 40, `${searches} searches`);
});

test('at the same distance the most popular comes first, then the older id, also where the page ends', async () => {
  const snapshot = await snapshotOf([
    station(1, 0, 1, 5),
    station(2, 0, -1, 7),
    station(3, 1, 0, 7),
    station(4, -1, 0, 9),
    station(5, -1, 0, 1),
    station(6, 0, 0.5, 0),
  ]);
  const inOrder = [6, 4, 2, 3, 1, 5];
  const middle = { latitude: 0, longitude: 0 };
  for (const limit of [1, 2, 3, 4, 5, 6, 7]) {
    const ids = nearIds(snapshot, middle, limit);
    assert.deepEqual(ids, inOrder.slice(0, limit), `limit ${limit}`);
    const compiled = compileFilter(snapshot, { formats: ALL_FORMATS }) ?? assert.fail();
    const ranks = searchTree(compiled, middle, limit, Infinity);
    const found = ranks.map((rank) => snapshot.stations[rank]?.id);
    assert.deepEqual(found, inOrder.slice(0, limit));
  }
});

test('a pole is one point whatever its longitude, and the date line is one line', async () => {
  const pole = await snapshotOf([
    station(1, 90, 0, 1),
    station(2, 90, 100, 2),
    station(3, 90, -170, 3),
    station(4, 89.99, 0, 9),
  ]);
  assert.deepEqual(nearIds(pole, { latitude: 90, longitude: 55 }), [3, 2, 1, 4]);
  const line = await snapshotOf([
    station(1, 10, 180, 1),
    station(2, 10, -180, 2),
    station(3, 10, -179.9, 9),
    station(4, 10, 179, 9),
  ]);
  assert.deepEqual(nearIds(line, { latitude: 10, longitude: -179.99 }), [2, 1, 3, 4]);
});

test('pages end with the thousandth', async () => {
  const snapshot = await snapshotOf(
    Array.from({ length: 1100 }, (_none, index) => station(index + 1, 1, 2, 0)),
  );
  const pages = [990, 1000, 5_000_000].map((offset) =>
    near(snapshot, { latitude: 0, longitude: 0 }, { formats: ALL_FORMATS, offset, limit: 50 }),
  );
  assert.deepEqual(
    pages.map(({ stations, more }) => [stations.length, more]),
    [
      [10, false],
      [0, false],
      [0, false],
    ],
  );
});

test('without stations, or without coordinates, nothing is near', async () => {
  const middle = { latitude: 0, longitude: 0 };
  assert.deepEqual(nearIds(await snapshotOf([]), middle), []);
  const nowhere = { ...station(1, 0, 0, 1), latitude: null, longitude: null };
  assert.deepEqual(nearIds(await snapshotOf([nowhere]), middle), []);
});

test('keeps the nearest in order, the lower rank first where the distance is the same', () => {
  const random = randomNumbers(7);
  for (const room of [1, 2, 7, 50, 500]) {
    const offers = Array.from({ length: 200 }, (_none, rank) => ({
      rank,
      distance: Math.floor(random() * 30),
    }));
    const nearest = new Nearest(room);
    for (const { rank, distance } of offers.toSorted(() => random() - 0.5)) nearest.offer(distance, rank);
    const expected = offers.toSorted((a, b) => a.distance - b.distance || a.rank - b.rank).slice(0, room);
    assert.deepEqual(
      nearest.ranks,
      expected.map(({ rank }) => rank),
    );
    assert.equal(nearest.farthest, room > offers.length ? Infinity : expected.at(-1)?.distance);
  }
});
