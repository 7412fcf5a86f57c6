import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CityRecord } from './cities.ts';
import { type CurrentCity, CurrentStates, readCurrentCities } from './current-states.ts';
import { surveyCities } from './rows.ts';

const STATES = ['NO.12', 'NO.13', 'NO.20', 'SE.26'].map((code) => ({ code, name: code }));
const CURRENT: CurrentCity[] = [
  { country: 'NO', admin1: '13', lat: '59.12', lng: '11.38' },
  { country: 'NO', admin1: '20', lat: '59.27', lng: '10.4' },
  { country: 'NO', admin1: '99', lat: '60', lng: '11' },
  { country: 'SE', admin1: '26', lat: '59.33', lng: '18.06' },
];
const states = new CurrentStates(STATES);
for (const city of CURRENT) states.add(city);

const city = (stateCode: string, latitude: number, longitude: number, population = 1): CityRecord => ({
  geonameId: Math.round(latitude * 1e9 + longitude * 1e3),
  name: 'Town',
  otherNames: '',
  place: { latitude, longitude },
  countryCode: stateCode.slice(0, 2),
  stateCode,
  population,
  zone: 'Europe/Oslo',
});

const cases: [what: string, city: CityRecord, state: string | undefined][] = [
  ['a city whose state was split', city('NO.30', 59.12, 11.38), 'NO.13'],
  ['a city that came to another state', city('NO.12', 59.27, 10.4), 'NO.20'],
  ['a city that the newer list does not have', city('NO.12', 59.9, 10.7), 'NO.12'],
  ['one of those in a state that is gone', city('NO.30', 59.3, 11.2), 'NO.13'],
  ['one far from any', city('NO.30', 69.6, 18.9), undefined],
  ['one in a country without states', city('VA.', 41.9, 12.45), undefined],
  ['the same place in another country', city('SE.99', 59.12, 11.38), undefined],
];
for (const [what, record, state] of cases) {
  test(`${what} is in ${state ?? 'no state'}`, () => assert.equal(states.find(record), state));
}

test('a survey knows the largest city of a country and of a state, and where each is', () => {
  const small = city('NO.12', 59.9, 10.7, 5);
  const large = city('NO.30', 59.12, 11.38, 50);
  const survey = surveyCities([small, large], states);
  assert.equal(survey.cityCount, 2);
  assert.equal(survey.largest.get('NO'), large);
  assert.equal(survey.largest.get('NO.13'), large);
  assert.equal(survey.largest.get('NO.12'), small);
  assert.equal(survey.largest.get('NO.30'), undefined);
  assert.equal(survey.stateOf(large), 'NO.13');
  assert.equal(survey.stateOf(small), 'NO.12');
});

test('the newer list is read whole', async () => {
  let [whole, broken] = [0, 0];
  for await (const { lat, lng, country } of readCurrentCities()) {
    if (Math.abs(Number(lat)) <= 90 && Math.abs(Number(lng)) <= 180 && country.length === 2) whole += 1;
    else broken += 1;
  }
  assert.equal(broken, 0);
  assert.ok(whole > 170_000, `${whole} cities`);
});
