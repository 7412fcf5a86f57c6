import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolvedRecord } from '../../../test/content/resolved-record.ts';
import { foldRecord, foundStation } from './drafts.ts';

test('what is known stays, what is missing is filled', () => {
  const station = foundStation(resolvedRecord({ clean: { homepage: 'http://a/', homepageHost: 'a' } }));
  station.changed = false;
  foldRecord(
    station,
    resolvedRecord({ clean: { homepage: 'http://b/', homepageHost: 'b', callSign: 'WXYZ' } }),
  );
  assert.equal(station.homepage, 'http://a/');
  assert.equal(station.callSign, 'WXYZ');
  assert.ok(station.changed);
});

test('a record that says nothing new changes nothing', () => {
  const record = resolvedRecord({
    genreIds: [1],
    languageIds: [2],
    clean: { votes: 5, homepage: 'http://a/' },
  });
  const station = foundStation(record);
  station.changed = false;
  foldRecord(station, record);
  assert.equal(station.changed, false);
});

test('counts take the larger, lists grow without repeating and have an end', () => {
  const station = foundStation(resolvedRecord({ genreIds: [1, 2], clean: { votes: 5 } }));
  const genreIds = Array.from({ length: 20 }, (_item, index) => index);
  foldRecord(station, resolvedRecord({ genreIds, clean: { votes: 3, clicks: 9 } }));
  assert.deepEqual([station.votes, station.clicks], [5, 9]);
  assert.deepEqual(station.genreIds, [1, 2, 0, 3, 4, 5, 6, 7]);
});

test('a record that knows the city takes the place of one that knew the country', () => {
  const station = foundStation(resolvedRecord({ regionId: 10 }));
  const coordinate = { latitude: 1, longitude: 2 };
  foldRecord(station, resolvedRecord({ regionId: 99, coordinate, zone: 'Europe/Dublin' }));
  assert.deepEqual([station.regionId, station.coordinate, station.zone], [99, coordinate, 'Europe/Dublin']);
});

test('a record from another country does not move a station', () => {
  const station = foundStation(resolvedRecord());
  foldRecord(
    station,
    resolvedRecord({ countryId: 2, regionId: 99, coordinate: { latitude: 1, longitude: 2 } }),
  );
  assert.deepEqual([station.countryId, station.regionId, station.coordinate], [1, 10, null]);
});
