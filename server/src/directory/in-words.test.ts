import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { seededDirectory } from '../../test/seeded-directory.ts';
import { wordsFor } from '../words/words.ts';
import { placeNameIn, stationIn } from './in-words.ts';

const seeded = await seededDirectory();
after(() => seeded[Symbol.asyncDispose]());
const snapshot = seeded.directory.current();
const station =
  snapshot.stations.find(({ countryCode, placeName }) => countryCode === 'DE' && placeName?.includes(',')) ??
  assert.fail();

test('in English a station is itself, without a copy', () => {
  assert.equal(stationIn(snapshot, station, wordsFor('en-GB')), station);
});

test('in German its country and its language have their German names', () => {
  const told = stationIn(snapshot, station, wordsFor('de'));
  assert.match(told.placeName ?? '', /, Deutschland$/);
  assert.equal(told.languageName, 'Deutsch');
  assert.equal(told.name, station.name);
});

test('a state and a city keep their names, the country has the one of the language', () => {
  const region = snapshot.regionById.get(station.regionId ?? 0) ?? assert.fail();
  assert.equal(placeNameIn(region, wordsFor('fr')), `${region.name}, Allemagne`);
});
