import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listPostalRecords } from './postal-codes.ts';

const records = [...listPostalRecords()];
const find = (country: string, code: string) =>
  records.find((record) => record.countryCode === country && record.code === code);

test('nearly all of both countries is there, each code once a country', () => {
  assert.ok(records.filter(({ countryCode }) => countryCode === 'US').length > 41_000);
  assert.ok(records.filter(({ countryCode }) => countryCode === 'CA').length > 1600);
  assert.equal(
    new Set(records.map(({ countryCode, code }) => `${countryCode} ${code}`)).size,
    records.length,
  );
});

test('no code lies where nobody lives', () => {
  for (const { code, place } of records) {
    assert.ok(Math.abs(place.latitude) > 1 && Math.abs(place.latitude) < 84, code);
    assert.ok(Math.abs(place.longitude) > 1, code);
  }
  assert.equal(find('US', '34001'), undefined, 'an army post office');
  assert.equal(find('CA', 'H0H'), undefined, 'the North Pole');
});

test('a code of a territory is found by either country', () => {
  assert.equal(find('US', '00901')?.placeCountryCode, 'PR');
  assert.equal(find('PR', '00901')?.placeCountryCode, 'PR');
  assert.equal(find('PR', '10001'), undefined);
});

test('cities are named without asides, and broken lines are mended', () => {
  assert.equal(find('CA', 'T2R')?.city, 'Calgary');
  assert.deepEqual(find('CA', 'E3C'), {
    countryCode: 'CA',
    placeCountryCode: 'CA',
    code: 'E3C',
    city: 'Fredericton',
    state: 'New Brunswick',
    place: { latitude: 45.9356, longitude: -66.68 },
  });
});
