import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testDatabase } from '../../../../test/database/database.ts';
import {
  COUNTRY_REGIONS,
  fillCatalogue,
  type RandomCatalogue,
  randomCatalogue,
  randomNumbers,
  type RandomStation,
} from '../../../../test/content/random-catalogue.ts';
import {
  ALL_FORMATS,
  formatBit,
  type FormatMask,
  isStreamFormat,
  parseFormats,
} from '../../../lib/stream-format.ts';
import { MAX_PAGE_LENGTH, selectStations, type StationPage } from '../groups/select-stations.ts';
import type { StationFilter } from '../groups/compiled-filter.ts';
import { buildSnapshot } from '../snapshot/build-snapshot.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import {
  findLanguage,
  findRegion,
  findStation,
  listGenresOf,
  listRegionsOf,
  listRelatedGenres,
  listSpokenLanguages,
  listTopGenres,
} from './lookups.ts';
import {
  stationsOfGenre,
  stationsOfLanguage,
  stationsOfRegion,
} from '../../../../test/directory/stations-of.ts';

const database = await testDatabase();
after(() => database[Symbol.asyncDispose]());

const SEEDS = [1, 2, 3];
const STATIONS = 400;

for (const seed of SEEDS) {
  test(`every list is what brute force finds (seed ${seed})`, async (t) => {
    const catalogue = randomCatalogue(seed, STATIONS);
    await fillCatalogue(database.pool, catalogue);
    const snapshot = await buildSnapshot(database.pool, { batchSize: 37 });
    const world = { catalogue, snapshot, heard: heardStations(catalogue), random: randomNumbers(seed + 100) };
    await t.test('by id', () => checkIds(world));
    await t.test('pages of any filter', () => checkPages(world));
    await t.test('genres, regions and languages that have stations', () => checkMenus(world));
    await t.test('counts', () => checkCounts(world));
  });
}

interface World {
  catalogue: RandomCatalogue;
  snapshot: Snapshot;
  heard: RandomStation[];
  random: () => number;
}

/** Listed, with a listed stream; the most popular first. */
const heardStations = ({ stations }: RandomCatalogue): RandomStation[] =>
  stations
    .filter(({ listed, streams }) => listed && streams.some((stream) => stream.listed))
    .toSorted((a, b) => b.popularity - a.popularity || a.id - b.id);

function fitsPlainly(station: RandomStation, filter: StationFilter, { catalogue }: World): boolean {
  const { genreId, regionId, languageId, formats } = filter;
  const regions = new Map(catalogue.regions.map((region) => [region.id, region.parentId]));
  const genres = new Map(catalogue.genres.map((genre) => [genre.id, genre.parentId]));
  const home = station.regionId ?? COUNTRY_REGIONS.get(station.countryId ?? 0) ?? null;
  return (
    plays(station, formats) &&
    (genreId === undefined || station.genreIds.some((id) => isWithin(id, genreId, genres))) &&
    (regionId === undefined || isWithin(home, regionId, regions)) &&
    (languageId === undefined || station.languageIds.includes(languageId))
  );
}

const plays = ({ streams }: RandomStation, wanted: FormatMask): boolean =>
  streams
    .filter(({ listed }) => listed)
    .some(({ format }) =>
      format !== null && isStreamFormat(format) ? (formatBit(format) & wanted) !== 0 : wanted === ALL_FORMATS,
    );

function isWithin(id: number | null, ancestor: number, parents: ReadonlyMap<number, number | null>): boolean {
  for (let at: number | null = id; at !== null; at = parents.get(at) ?? null)
    if (at === ancestor) return true;
  return false;
}

function checkIds({ snapshot, heard, catalogue }: World): void {
  const ids = new Set(heard.map(({ id }) => id));
  assert.ok(ids.size < catalogue.stations.length, 'some stations cannot be heard');
  for (const { id, name } of catalogue.stations)
    assert.equal(findStation(snapshot, id)?.name, ids.has(id) ? name : undefined);
  assert.equal(findStation(snapshot, 1), undefined);
}

function checkPages(world: World): void {
  const { snapshot, heard } = world;
  let found = 0;
  for (let round = 0; round < 600; round++) {
    const filter = randomFilter(world);
    const expected = heard.filter((station) => fitsPlainly(station, filter, world)).map(({ id }) => id);
    const offset = Math.floor(world.random() ** 2 * 60);
    const limit = Math.floor(world.random() * 60);
    const page = selectStations(snapshot, { ...filter, offset, limit });
    assert.deepEqual(
      page.stations.map(({ id }) => id),
      expected.slice(offset, offset + limit),
      JSON.stringify(filter),
    );
    assert.equal(page.more, expected.length > offset + limit);
    found += expected.length;
  }
  assert.ok(found > 600, 'the filters let something through');
}

const FORMATS = [
  ALL_FORMATS,
  parseFormats('mp3'),
  parseFormats('mp3,aac'),
  parseFormats('ogg'),
  parseFormats('wav'),
];

function randomFilter({ catalogue, random }: World): StationFilter {
  const maybe = (ids: readonly { id: number }[]): number | undefined =>
    random() < 0.5 ? undefined : ids[Math.floor(random() * ids.length)]?.id;
  return {
    formats: FORMATS[Math.floor(random() * FORMATS.length)]!,
    genreId: maybe(catalogue.genres),
    regionId: maybe(catalogue.regions),
    languageId: maybe(catalogue.languages),
  };
}

function checkMenus(world: World): void {
  const { snapshot, catalogue, heard } = world;
  const shown = (items: readonly { id: number }[], filterOf: (id: number) => StationFilter): number[] =>
    items
      .map(({ id }) => id)
      .filter((id) => heard.some((station) => fitsPlainly(station, filterOf(id), world)));
  for (let round = 0; round < 60; round++) {
    const filter = randomFilter(world);
    const { genreId = 300, regionId = 0 } = filter;
    const children = catalogue.genres.filter(({ parentId }) => parentId === genreId);
    const withGenre = (id: number): StationFilter => ({ ...filter, genreId: id });
    assert.deepEqual(listGenresOf(snapshot, genreId, filter).map(idOf), shown(children, withGenre));
    const tops = catalogue.genres.filter(({ parentId }) => parentId === null);
    assert.deepEqual(listTopGenres(snapshot, filter).map(idOf), shown(tops, withGenre));
    const parentId = catalogue.genres.find(({ id }) => id === genreId)?.parentId;
    const siblings = catalogue.genres.filter(
      (genre) => parentId && genre.parentId === parentId && genre.id !== genreId,
    );
    assert.deepEqual(listRelatedGenres(snapshot, genreId, filter).map(idOf), shown(siblings, withGenre));
    const inside = byName(catalogue.regions.filter((region) => region.parentId === regionId));
    assert.deepEqual(
      listRegionsOf(snapshot, regionId, filter).map(idOf),
      shown(inside, (id) => ({ ...filter, regionId: id })),
    );
    assert.deepEqual(
      listSpokenLanguages(snapshot, filter).map(idOf),
      shown(byName(catalogue.languages), (id) => ({ ...filter, languageId: id })),
    );
  }
}

const byName = <Item extends { name: string }>(items: readonly Item[]): Item[] =>
  items.toSorted((a, b) => (a.name < b.name ? -1 : 1));

const idOf = ({ id }: { id: number }): number => id;

function checkCounts(world: World): void {
  const { snapshot, catalogue, heard } = world;
  const count = (filter: Omit<StationFilter, 'formats'>): number =>
    heard.filter((station) => fitsPlainly(station, { ...filter, formats: ALL_FORMATS }, world)).length;
  for (const { id } of catalogue.genres)
    assert.equal(snapshot.genreById.get(id)?.stationCount, count({ genreId: id }));
  for (const { id } of catalogue.regions)
    assert.equal(findRegion(snapshot, id)?.stationCount ?? 0, count({ regionId: id }));
  for (const { id } of catalogue.languages)
    assert.equal(findLanguage(snapshot, id)?.stationCount ?? 0, count({ languageId: id }));
  assert.equal(findRegion(snapshot, 23), undefined, 'a region without stations is not here');
  assert.equal(snapshot.genreById.get(400)?.stationCount, 0, 'a genre without stations is');
  assert.equal(findLanguage(snapshot, 10)?.stationCount, 0, 'and so is a language: there may be shows');
  assert.ok(!snapshot.languages.some(({ id }) => id === 10), 'but it is none of those that stations speak');
}

const pageOf = ({ stations, more }: StationPage) => [stations, more];

test('the named lists are the general one; unknown ids are empty; pages are bounded', async () => {
  await fillCatalogue(database.pool, randomCatalogue(4, 2000));
  const snapshot = await buildSnapshot(database.pool);
  const all = { formats: ALL_FORMATS, offset: 0, limit: 5000 };
  assert.ok(snapshot.stations.length > MAX_PAGE_LENGTH);
  assert.deepEqual(pageOf(selectStations(snapshot, all)), [
    snapshot.stations.slice(0, MAX_PAGE_LENGTH),
    true,
  ]);
  assert.deepEqual(selectStations(snapshot, { ...all, offset: -5, limit: 1 }).stations, [
    snapshot.stations[0],
  ]);
  assert.deepEqual(
    pageOf(stationsOfGenre(snapshot, 110, all)),
    pageOf(selectStations(snapshot, { ...all, genreId: 110 })),
  );
  assert.deepEqual(
    pageOf(stationsOfRegion(snapshot, 22, all)),
    pageOf(selectStations(snapshot, { ...all, regionId: 22 })),
  );
  assert.deepEqual(
    pageOf(stationsOfLanguage(snapshot, 6, all)),
    pageOf(selectStations(snapshot, { ...all, languageId: 6 })),
  );
  for (const listOf of [stationsOfGenre, stationsOfRegion, stationsOfLanguage]) {
    assert.deepEqual(pageOf(listOf(snapshot, 999_999, all)), [[], false]);
  }
  assert.deepEqual(listGenresOf(snapshot, 999_999, all), []);
});

const isRich = ({ bitrate }: { bitrate: number }): boolean => bitrate >= 256;

test('a condition of the caller narrows a list, and its pages', async () => {
  await fillCatalogue(database.pool, randomCatalogue(5, 300));
  const snapshot = await buildSnapshot(database.pool);
  const expected = snapshot.stations.filter(isRich);
  const page = selectStations(snapshot, { formats: ALL_FORMATS, offset: 3, limit: 10, where: isRich });
  assert.deepEqual(pageOf(page), [expected.slice(3, 13), true]);
  assert.equal(listTopGenres(snapshot, { formats: ALL_FORMATS, where: () => false }).length, 0);
});
