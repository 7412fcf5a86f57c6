import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { type CopyValue, copyRows } from '../../src/storage/db/copy.ts';
import { transaction } from '../../src/storage/db/transaction.ts';
import { STREAM_FORMATS } from '../../src/lib/stream-format.ts';

/** A catalogue made by chance from a seed, as plain values that a test can search by brute force. */
export interface RandomCatalogue {
  genres: { id: number; parentId: number | null; name: string }[];
  regions: { id: number; parentId: number | null; kind: string; code: string; name: string }[];
  languages: { id: number; name: string }[];
  stations: RandomStation[];
}

export interface RandomStation {
  id: number;
  name: string;
  regionId: number | null;
  countryId: number | null;
  latitude: number | null;
  longitude: number | null;
  popularity: number;
  listed: boolean;
  genreIds: number[];
  languageIds: number[];
  streams: {
    id: number;
    format: string | null;
    bitrate: number;
    reliability: number;
    listed: boolean;
  }[];
}

/** Region of a country by the country's id. */
export const COUNTRY_REGIONS = new Map([
  [1, 11],
  [2, 21],
  [3, 22],
  [4, 12],
]);

/** Mulberry32: small, seeded, good enough to stir a test. */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function randomCatalogue(seed: number, count: number): RandomCatalogue {
  const random = randomNumbers(seed);
  const genres = makeGenres();
  const regions = makeRegions();
  const names = ['Dutch', 'English', 'Fijian', 'French', 'German', 'Latin'];
  const languages = names.map((name, index) => ({ id: 5 + index, name }));
  const world = {
    genreIds: genres.slice(0, -1).map(({ id }) => id),
    languageIds: languages.slice(0, -1).map(({ id }) => id),
    regionIds: regions.filter(({ kind, id }) => kind !== 'root' && id !== 23).map(({ id }) => id),
    towns: Array.from({ length: Math.max(20, count / 20) }, () => makePoint(random)),
  };
  const stations = Array.from({ length: count }, (_none, index) => makeStation(random, index, world));
  return { genres, regions, languages, stations };
}

interface World {
  genreIds: number[];
  languageIds: number[];
  regionIds: number[];
  /** Where several stations stand on one point. */
  towns: [latitude: number, longitude: number][];
}

function makeStation(random: () => number, index: number, world: World): RandomStation {
  const placed = random();
  const point = random() < 0.6 ? anyOf(random, world.towns) : makePoint(random);
  const [latitude, longitude] = random() < 0.15 ? [null, null] : point;
  return {
    // Ids have gaps, and are not in the order of popularity.
    id: 10 + index * 3,
    name: `Radio ${index} ${anyOf(random, NAMES)}`,
    regionId: placed < 0.8 ? anyOf(random, world.regionIds) : null,
    countryId: placed < 0.9 ? 1 + Math.floor(random() * 4) : null,
    latitude,
    longitude,
    // Of few values, so that the id decides often.
    popularity: Math.floor(random() ** 3 * 40),
    listed: random() < 0.9,
    genreIds: someOf(random, world.genreIds, 3),
    languageIds: someOf(random, world.languageIds, 2),
    streams: Array.from({ length: Math.floor(random() * 4) }, (_none, at) =>
      makeStream(random, index * 4 + at + 1),
    ),
  };
}

const makeStream = (random: () => number, id: number): RandomStation['streams'][number] => ({
  id,
  format: random() < 0.25 ? null : STREAM_FORMATS[Math.floor(random() ** 2 * STREAM_FORMATS.length)]!,
  bitrate: 32 * Math.floor(random() * 11),
  reliability: 10 * Math.floor(random() * 11),
  listed: random() < 0.85,
});

const anyOf = <T>(random: () => number, items: readonly T[]): T =>
  items[Math.floor(random() * items.length)]!;

const someOf = (random: () => number, ids: readonly number[], most: number): number[] => [
  ...new Set(Array.from({ length: Math.floor(random() * (most + 1)) }, () => anyOf(random, ids))),
];

const NAMES = [
  'Nord',
  'Ñandú & Söhne',
  '"Best" <Hits>',
  'Город',
  '東京の夜',
  "L'Été",
  'FM 🎵',
  'of the Long Valleys',
];

/** A fifth of the points stand where maps are cut: at the date line and around the poles. */
function makePoint(random: () => number): [latitude: number, longitude: number] {
  const where = random();
  if (where < 0.1) return [random() * 40 - 20, random() < 0.5 ? 179 + random() : -180 + random()];
  if (where < 0.15) return [88 + random() * 2, random() * 360 - 180];
  if (where < 0.2) return [-88 - random() * 2, random() * 360 - 180];
  if (where < 0.22) return [random() < 0.5 ? 90 : -90, random() * 360 - 180];
  return [random() * 180 - 90, random() * 360 - 180];
}

/** Three trees of three levels; the last genre is left without stations. */
function makeGenres(): RandomCatalogue['genres'] {
  const genres: RandomCatalogue['genres'] = [];
  for (const top of [100, 200, 300]) {
    genres.push({ id: top, parentId: null, name: `Top ${top}` });
    for (const middle of [top + 10, top + 20]) {
      genres.push({ id: middle, parentId: top, name: `Middle ${middle}` });
      for (const low of [middle + 1, middle + 2])
        genres.push({ id: low, parentId: middle, name: `Low ${low}` });
    }
  }
  return [...genres, { id: 400, parentId: 300, name: 'Empty' }];
}

const region = (
  id: number,
  parentId: number | null,
  kind: string,
  code: string,
  name: string,
): RandomCatalogue['regions'][number] => ({ id, parentId, kind, code, name });

/** Two continents, four countries, states and cities in some; Nowhere (23) is left without stations. */
function makeRegions(): RandomCatalogue['regions'] {
  return [
    region(0, null, 'root', 'root', 'World'),
    region(1, 0, 'continent', 'continent:NA', 'North America'),
    region(2, 0, 'continent', 'continent:EU', 'Europe'),
    region(11, 1, 'country', 'country:US', 'United States'),
    region(12, 1, 'country', 'country:MX', 'Mexico'),
    region(21, 2, 'country', 'country:FR', 'France'),
    region(22, 2, 'country', 'country:DE', 'Germany'),
    region(23, 2, 'country', 'country:XX', 'Nowhere'),
    region(111, 11, 'state', 'state:US.TX', 'Texas'),
    region(221, 22, 'state', 'state:DE.02', 'Bavaria'),
    region(1111, 111, 'city', 'city:1', 'Austin'),
    region(1112, 11, 'city', 'city:2', 'Elsewhere'),
    region(211, 21, 'city', 'city:3', 'Lyon'),
    region(2211, 221, 'city', 'city:4', 'Munich'),
  ];
}

/** In the order in which their foreign keys allow. */
const TABLES =
  'station_genres station_languages station_affiliates affiliates images streams stations countries regions languages genres'.split(
    ' ',
  );

/** Writes a catalogue in place of the one that is there. */
export async function fillCatalogue(pool: Pool, catalogue: RandomCatalogue): Promise<void> {
  await transaction(pool, async (client) => {
    const copy = (table: string, columns: string, rows: Iterable<CopyValue[]>): Promise<void> =>
      copyRows(client, table, columns.split(' '), rows);
    const { genres, regions, languages, stations } = catalogue;
    for (const table of TABLES) await client.query(`DELETE FROM ${table}`);
    await copy(
      'genres',
      'id parent_id slug name position',
      genres.map(({ id, parentId, name }, index) => [id, parentId, `g${id}`, name, index]),
    );
    await copy(
      'regions',
      'id parent_id kind code name',
      regions.map(({ id, parentId, kind, code, name }) => [id, parentId, kind, code, name]),
    );
    await copy(
      'countries',
      'id code name region_id',
      [...COUNTRY_REGIONS].map(([id, regionId]) => [id, `C${'ABCD'[id - 1]}`, `Country ${id}`, regionId]),
    );
    await copy(
      'languages',
      'id code name',
      languages.map(({ id, name }) => [id, name.slice(0, 3).toLowerCase(), name]),
    );
    await copy(
      'stations',
      'id name name_key region_id country_id latitude longitude popularity listed',
      stations.map(stationValues),
    );
    await copy(
      'streams',
      'id station_id address address_key format bitrate reliability listed',
      stations.flatMap((station) => station.streams.map((stream) => streamValues(station.id, stream))),
    );
    await copy(
      'station_genres',
      'station_id genre_id position',
      stations.flatMap(({ id, genreIds }) => genreIds.map((genreId, index) => [id, genreId, index + 1])),
    );
    await copy(
      'station_languages',
      'station_id language_id position',
      stations.flatMap(({ id, languageIds }) => languageIds.map((of, index) => [id, of, index + 1])),
    );
    await copy(
      'images',
      'kind item_id address',
      stations.filter(({ id }) => id % 2 === 0).map(({ id }) => ['s', id, `http://logo.example/${id}.png`]),
    );
  });
}

const stationValues = (station: RandomStation): CopyValue[] => [
  station.id,
  station.name,
  station.name,
  station.regionId,
  station.countryId,
  station.latitude,
  station.longitude,
  station.popularity,
  station.listed,
];

const streamValues = (stationId: number, stream: RandomStation['streams'][number]): CopyValue[] => [
  stream.id,
  stationId,
  `http://stream.example/${stream.id}`,
  createHash('md5').update(String(stream.id)).digest('hex'),
  stream.format,
  stream.bitrate,
  stream.reliability,
  stream.listed,
];
