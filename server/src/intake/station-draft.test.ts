import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settledRecord } from '../../test/settled-record.ts';
import { foldRecord, foundStation } from './station-draft.ts';

test('what is known stays, what is missing is filled', () => {
  const station = foundStation(settledRecord({ clean: { homepage: 'http://a/', homepageHost: 'a' } }));
  station.changed = false;
  foldRecord(
    station,
    settledRecord({ clean: { homepage: 'http://b/', homepageHost: 'b', callSign: 'WXYZ' } }),
  );
  assert.equal(station.homepage, 'http://a/');
  assert.equal(station.callSign, 'WXYZ');
  assert.ok(station.changed);
});

test('a record that says nothing new changes nothing', () => {
  const record = settledRecord({
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
  const station = foundStation(settledRecord({ genreIds: [1, 2], clean: { votes: 5 } }));
  const genreIds = Array.from({ length: 20 }, (_item, index) => index);
  foldRecord(station, settledRecord({ genreIds, clean: { votes: 3, clicks: 9 } }));
  assert.deepEqual([station.votes, station.clicks], [5, 9]);
  assert.deepEqual(station.genreIds, [1, 2, 0, 3, 4, 5, 6, 7]);
});

test('a record that knows the city takes the place of one that knew the country', () => {
  const station = foundStation(settledRecord({ regionId: 10 }));
  const coordinate = { latitude: 1, longitude: 2 };
  foldRecord(station, settledRecord({ regionId: 99, coordinate, zone: 'Europe/Dublin' }));
  assert.deepEqual([station.regionId, station.coordinate, station.zone], [99, coordinate, 'Europe/Dublin']);
});

test('a record from another country does not move a station', () => {
  const station = foundStation(settledRecord());
  foldRecord(
    station,
    settledRecord({ countryId: 2, regionId: 99, coordinate: { latitude: 1, longitude: 2 } }),
  );
  assert.deepEqual([station.countryId, station.regionId, station.coordinate], [1, 10, null]);
});
