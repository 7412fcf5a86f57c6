import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { seededDirectory } from '../../../../test/content/seeded-directory.ts';
import { wordsFor } from '../../i18n/words.ts';
import type { RegionKind } from '../snapshot/snapshot.ts';
import { placeName, placeNameIn, stationIn } from './in-words.ts';

const seeded = await seededDirectory();
after(() => seeded[Symbol.asyncDispose]());
const snapshot = seeded.directory.current();
const station =
  snapshot.stations.find((one) => one.countryCode === 'DE' && one.placeName?.includes(',')) ?? assert.fail();

test('in English a station is itself, without a copy', () => {
  assert.equal(stationIn(snapshot, station, wordsFor('en-GB')), station);
});

test('in German its country and its language have their German names', () => {
  const given = stationIn(snapshot, station, wordsFor('de'));
  assert.match(given.placeName ?? '', /, Deutschland$/);
  assert.equal(given.languageName, 'Deutsch');
  assert.equal(given.name, station.name);
});

test('a state and a city keep their names, the country has the one of the language', () => {
  const region = snapshot.regionById.get(station.regionId ?? 0) ?? assert.fail();
  assert.equal(placeNameIn(region, wordsFor('fr')), `${region.name}, Allemagne`);
});

type Place = Parameters<typeof placeName>[0];
const place = (kind: RegionKind, name: string, code: string, parent?: Place): Place => ({
  kind,
  name,
  code,
  parent,
});

const world = place('root', 'World', 'root');
const europe = place('continent', 'Europe', 'continent:EU', world);
const germany = place('country', 'Germany', 'country:DE', europe);
const bavaria = place('state', 'Bavaria', 'state:DE.02', germany);
const america = place('country', 'United States', 'country:US', world);
const texas = place('state', 'Texas', 'state:US.TX', america);
const canada = place('country', 'Canada', 'country:CA', world);
const ontario = place('state', 'Ontario', 'state:CA.08', canada);
const australia = place('country', 'Australia', 'country:AU', world);
const victoria = place('state', 'Victoria', 'state:AU.07', australia);
const singapore = place('country', 'Singapore', 'country:SG', world);

const cases: [place: Place, name: string | undefined][] = [
  [place('city', 'Munich', 'city:1', bavaria), 'Munich, Germany'],
  [place('city', 'Kiel', 'city:2', germany), 'Kiel, Germany'],
  [place('city', 'Austin', 'city:3', texas), 'Austin, Texas'],
  [place('city', 'London', 'city:6', ontario), 'London, Ontario'],
  [place('city', 'Geelong', 'city:7', victoria), 'Geelong, Victoria'],
  [place('city', 'Elsewhere', 'city:4', america), 'Elsewhere, United States'],
  [place('city', 'Singapore', 'city:5', singapore), 'Singapore'],
  [bavaria, 'Bavaria, Germany'],
  [texas, 'Texas, United States'],
  [germany, 'Germany'],
  [europe, 'Europe'],
  [world, undefined],
];
for (const [of, name] of cases) test(`${of.code} is ${name}`, () => assert.equal(placeName(of), name));
