import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type ListenerPlace, localStations } from '../../src/core/directory/local/local-stations.ts';
import { buildSnapshot } from '../../src/core/directory/snapshot/build-snapshot.ts';
import type { Snapshot } from '../../src/core/directory/snapshot/snapshot.ts';
import { importStations } from '../../src/import/pipeline/import-stations.ts';
import type { StationRecord } from '../../src/import/pipeline/record.ts';
import { ALL_FORMATS } from '../../src/lib/stream-format.ts';
import { type TestDatabase, testDatabaseWithPlaces } from '../database/database.ts';

const VIENNA = { latitude: 48.2082, longitude: 16.3738 };
const GRAZ = { latitude: 47.0707, longitude: 15.4395 };
const LINZ = { latitude: 48.3064, longitude: 14.2861 };
const BRATISLAVA = { latitude: 48.1486, longitude: 17.1077 };

type Said = Partial<StationRecord> & { name: string };

let made = 0;
const said = (record: Said): StationRecord => ({
  source: 'test',
  record: `${(made += 1)}`,
  address: `http://stream${made}.radio-haven.net/${made}`,
  countryCode: 'AT',
  languages: ['de'],
  tags: [],
  bitrateKbps: 128,
  hls: false,
  votes: 10,
  clicks: 0,
  ...record,
});

/** Six owners who claim the very middle of the city that a map gives. */
const GUESSED = Array.from({ length: 6 }, (_none, n) =>
  said({
    name: `Netzkanal ${n}`,
    homepage: `https://netzkanal${n}.net/`,
    coordinate: LINZ,
    votes: 50_000,
  }),
);

const RECORDS: StationRecord[] = [
  said({ name: 'Hitradio Ö3', coordinate: GRAZ, city: 'Graz' }),
  said({ name: 'Radio Wien' }),
  said({ name: 'Radio Steiermark', coordinate: GRAZ }),
  said({ name: 'Bezirksfunk', coordinate: { latitude: 48.2101, longitude: 16.3601 }, votes: 3 }),
  said({
    name: 'Nachbarfunk',
    coordinate: BRATISLAVA,
    countryCode: 'SK',
    city: 'Bratislava',
    votes: 3,
  }),
  ...GUESSED,
  said({ name: 'Linz Sieben', coordinate: LINZ, homepage: 'https://linz-sieben.net/' }),
  ...['', ' Lounge', ' Rock', ' Jazz'].map((channel, n) =>
    said({
      name: `Donauwelle${channel}`,
      homepage: 'https://donauwelle.net/',
      coordinate: { latitude: 48.23, longitude: 16.4 },
      votes: 100 - n,
    }),
  ),
];

async function* items() {
  for (const record of RECORDS) yield { record };
}

let database: TestDatabase;
let snapshot: Snapshot;
before(async () => {
  database = await testDatabaseWithPlaces();
  await importStations({ pool: database.pool, source: 'test', items: items(), maxWaitMs: 240_000 });
  snapshot = await buildSnapshot(database.pool);
});
after(() => database[Symbol.asyncDispose]());

function namesAt(place: ListenerPlace, limit = 100, offset = 0): string[] {
  const page = localStations(snapshot, place, { formats: ALL_FORMATS, offset, limit });
  return page.stations.map(({ name }) => name);
}

const inVienna = { point: VIENNA, countryCode: 'AT' };
const inGraz = { point: GRAZ, countryCode: 'AT' };

test('the known broadcasters of the city and the country come first, wherever their records place them', () => {
  assert.deepEqual(new Set(namesAt(inVienna, 2)), new Set(['Hitradio Ö3', 'Radio Wien']));
  assert.deepEqual(new Set(namesAt(inGraz, 2)), new Set(['Hitradio Ö3', 'Radio Steiermark']));
});

test('who is heard in the whole country carries no town', () => {
  const station = snapshot.stations.find(({ name }) => name === 'Hitradio Ö3');
  assert.equal(station?.placeName, 'Austria');
  assert.equal(station.coordinate, undefined);
});

function located(name: string): boolean {
  const { rank = -1 } = snapshot.stations.find((station) => station.name === name) ?? {};
  return snapshot.locations.locationByRank[rank] !== -1;
}

test('a point that many owners claim is nobody’s, unless the station is named after the city', () => {
  assert.equal(located('Netzkanal 0'), false);
  assert.equal(located('Linz Sieben'), true);
  assert.equal(located('Bezirksfunk'), true);
});

test('a neighbour behind the border comes after those of the country that are near', () => {
  const names = namesAt(inVienna);
  assert.ok(names.includes('Nachbarfunk'));
  assert.ok(names.indexOf('Bezirksfunk') < names.indexOf('Nachbarfunk'));
});

test('a family is one line, its most popular channel', () => {
  const channels = namesAt(inVienna).filter((name) => name.startsWith('Donauwelle'));
  assert.deepEqual(channels, ['Donauwelle']);
});

test('pages continue one another', () => {
  const whole = namesAt(inVienna);
  const paged = [0, 3, 6, 9, 12].flatMap((offset) => namesAt(inVienna, 3, offset));
  assert.deepEqual(paged, whole.slice(0, 15));
  assert.equal(new Set(whole).size, whole.length);
});

test('where no country is known, the nearest stations are listed', () => {
  const names = namesAt({ point: BRATISLAVA, countryCode: undefined });
  assert.ok(names.indexOf('Nachbarfunk') < names.indexOf('Radio Steiermark'));
});
