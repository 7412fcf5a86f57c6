import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabaseWithPlaces } from '../../../../test/database/database.ts';
import { placeKey } from './name-table.ts';
import { PlaceAtlas } from './place-atlas.ts';
import { findHomePlace, resolvePlace } from './place-resolver.ts';
import type { SaidPlace } from './place-search.ts';
import type { CountryRow } from './places.ts';
import { StateNames } from './state-names.ts';

const COUNTRIES: [id: number, code: string, zone: string][] = [
  [1, 'DE', 'Europe/Berlin'],
  [2, 'US', 'America/New_York'],
  [3, 'PR', 'America/Puerto_Rico'],
  [4, 'IE', 'Europe/Dublin'],
  [5, 'BV', 'Europe/Oslo'],
];
const STATES: [id: number, code: string, name: string][] = [
  [10, 'DE.02', 'Bavaria'],
  [11, 'DE.05', 'Hesse'],
  [12, 'DE.11', 'Brandenburg'],
  [20, 'US.OR', 'Oregon'],
  [21, 'US.ME', 'Maine'],
  [22, 'US.TX', 'Texas'],
  [40, 'IE.M', 'Munster'],
];
type City = [id: number, country: number, state: number, names: string, people: number, at: [number, number]];
const CITIES: City[] = [
  [100, 1, 10, 'Munich|München|Muenchen', 1_260_000, [48.137, 11.576]],
  [101, 1, 11, 'Frankfurt am Main|Frankfurt', 650_000, [50.116, 8.684]],
  [102, 1, 12, 'Frankfurt (Oder)|Frankfurt', 51_000, [52.347, 14.55]],
  [103, 1, 10, 'Fürth', 112_000, [49.476, 10.989]],
  [104, 1, 10, 'Hof', 46_000, [50.313, 11.913]],
  [110, 2, 20, 'Portland', 632_000, [45.523, -122.676]],
  [111, 2, 21, 'Portland', 66_000, [43.661, -70.255]],
  [112, 2, 22, 'San Juan', 36_000, [26.189, -98.155]],
  [113, 2, 22, 'Saint Hedwig', 2300, [29.414, -98.2]],
  [120, 3, -1, 'San Juan', 418_000, [18.466, -66.106]],
  [130, 4, 40, 'Cork|Corcaigh', 190_000, [51.898, -8.471]],
];

function buildAtlas(): PlaceAtlas {
  const rows = COUNTRIES.map(([id, code, zone]) => countryRow(id, code, zone));
  const states = STATES.map(([id, code, name]) => ({ id, code, name }));
  const atlas = new PlaceAtlas(rows, new StateNames(states));
  for (const [id, country, state, names, population, [latitude, longitude]] of CITIES) {
    const [first = '', ...others] = names.split('|').map(placeKey);
    atlas.add({
      id,
      country_id: country,
      state_id: state === -1 ? null : state,
      name_key: first,
      other_name_keys: others,
      population,
      zone: `zone of ${id}`,
      latitude,
      longitude,
    });
  }
  return atlas;
}

const countryRow = (id: number, code: string, zone: string): CountryRow => ({
  id,
  code,
  name: code,
  region_id: 1000 + id,
  language_codes: [],
  zone,
});

const atlas = buildAtlas();
const at = (latitude: number, longitude: number): SaidPlace => ({ coordinate: { latitude, longitude } });

const cases: [what: string, said: SaidPlace, region: number | undefined][] = [
  ['a city by name', { countryCode: 'DE', city: 'MUNICH' }, 100],
  ['a city by another name', { countryName: 'Deutschland', city: 'münchen' }, 100],
  ['a saint, short and long', { countryCode: 'US', city: 'St. Hedwig' }, 113],
  ['of two the largest', { countryCode: 'DE', city: 'Frankfurt' }, 101],
  ['of two the one in the state', { countryCode: 'DE', state: 'Brandenburg', city: 'Frankfurt' }, 102],
  ['of two the nearest', { countryCode: 'US', city: 'Portland', ...at(43.5, -70.4) }, 111],
  ['the state by its letters', { countryCode: 'US', state: 'ME', city: 'Portland' }, 111],
  ['a city with its state behind', { countryCode: 'US', state: 'Oregon', city: 'Portland, OR' }, 110],
  ['a city with an aside', { countryCode: 'DE', city: 'Fürth (Bayern)' }, 103],
  ['no such city in the state', { countryCode: 'US', state: 'Texas', city: 'Portland' }, 22],
  [
    'the coordinate outweighs the state',
    { countryCode: 'US', state: 'Texas', city: 'Portland', ...at(45.5, -122.6) },
    110,
  ],
  ['a city in the field for states', { countryCode: 'DE', state: 'München' }, 100],
  ['a state in the field for cities', { countryCode: 'DE', city: 'Bayern' }, 10],
  ['a state', { countryCode: 'DE', state: 'BY' }, 10],
  ['part of a state', { countryCode: 'IE', state: 'County Kerry' }, 40],
  ['part of a state that is a city too', { countryCode: 'IE', state: 'Cork' }, 130],
  ['an unknown city', { countryCode: 'DE', city: 'Atlantis' }, 1001],
  ['a country by a variant of its code', { countryCode: 'usa' }, 1002],
  ['a country by name when the code is none', { countryCode: 'QQ', countryName: 'Ireland' }, 1004],
  ['near a city', { countryCode: 'DE', ...at(48.2, 11.4) }, 100],
  ['near no city', { countryCode: 'US', ...at(30.5, -100) }, 1002],
  ['near a city, in another state', { countryCode: 'DE', state: 'Hesse', ...at(49.48, 11) }, 11],
  ['a territory in the field for states', { countryCode: 'US', state: 'Puerto Rico', city: 'San Juan' }, 120],
  ['a coordinate in a territory', { countryCode: 'US', ...at(18.4, -66.1) }, 120],
  ['a country without cities', { countryCode: 'BV', ...at(-54.4, 3.4) }, 1005],
  ['no country, near a city', at(51.9, -8.5), 130],
  ['no country, in the sea', at(30, -40), undefined],
  ['a city without country', { city: 'Munich' }, undefined],
  ['nothing', {}, undefined],
  ['empty words', { countryCode: '', countryName: '', state: '', city: '' }, undefined],
  ['empty words in a country', { countryCode: 'DE', state: '', city: ' ' }, 1001],
];
for (const [what, said, region] of cases) {
  test(what, () => assert.equal(resolvePlace(atlas, said).regionId, region));
}

test('a coordinate of its own is kept, with the zone of the city', () => {
  assert.deepEqual(resolvePlace(atlas, { countryCode: 'DE', city: 'Munich', ...at(48.2, 11.4) }), {
    found: 'city',
    countryId: 1,
    regionId: 100,
    coordinate: { latitude: 48.2, longitude: 11.4 },
    zone: 'zone of 100',
  });
});

test('a city lends its coordinate, a state does not', () => {
  const city = resolvePlace(atlas, { countryCode: 'DE', city: 'Munich' });
  assert.deepEqual(city.coordinate, { latitude: 48.137, longitude: 11.576 });
  assert.equal(city.coordinateIsCity, true);
  const state = resolvePlace(atlas, { countryCode: 'DE', state: 'Bavaria' });
  assert.deepEqual(state, { found: 'state', countryId: 1, regionId: 10, zone: 'zone of 100' });
});

test('a coordinate far from the country is dropped, and that is told', () => {
  for (const said of [at(-33.9, 151.2), at(0, 0)]) {
    const place = resolvePlace(atlas, { countryCode: 'DE', city: 'Munich', ...said });
    assert.equal(place.coordinateDropped, true);
    assert.deepEqual(place.coordinate, { latitude: 48.137, longitude: 11.576 });
  }
  const country = resolvePlace(atlas, { countryCode: 'DE', ...at(-33.9, 151.2) });
  assert.deepEqual(country, {
    found: 'country',
    countryId: 1,
    regionId: 1001,
    coordinateDropped: true,
    zone: 'Europe/Berlin',
  });
  assert.deepEqual(resolvePlace(atlas, at(0, 0)), { found: 'nothing', coordinateDropped: true });
});

test('a coordinate without a city has the zone of its place', () => {
  assert.equal(resolvePlace(atlas, { countryCode: 'US', ...at(31.5, -100) }).zone, 'America/Chicago');
  assert.equal(resolvePlace(atlas, at(30, -40)).zone?.startsWith('Etc/'), true);
});

test('the home place is a coordinate or a city that is known', async () => {
  await using database = await testDatabaseWithPlaces();
  const { pool } = database;
  assert.deepEqual(await findHomePlace(pool, '51.9,-8.47'), { latitude: 51.9, longitude: -8.47 });
  const cork = await findHomePlace(pool, 'Cork, Ireland');
  assert.ok(Math.abs(cork.latitude - 51.9) < 0.1 && Math.abs(cork.longitude + 8.47) < 0.1);
  const portland = await findHomePlace(pool, 'Portland, Maine, USA');
  assert.ok(Math.abs(portland.latitude - 43.66) < 0.1, `${portland.latitude}`);
  for (const unknown of ['Cork', 'Nowhere Atall, Ireland', '95,0', '']) {
    await assert.rejects(findHomePlace(pool, unknown), /HOME_PLACE .* is not known; write a city/);
  }
});
