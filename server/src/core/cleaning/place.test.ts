import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanCoordinate, cleanCountry } from './place.ts';

test('a country by its code, else by its name, the second time as the first', () => {
  const cases: [string | undefined, string | undefined, string | undefined][] = [
    ['DE', undefined, 'DE'],
    [' de ', 'France', 'DE'],
    ['UK', undefined, 'GB'],
    ['ZZ', 'Germany', 'DE'],
    ['', 'The Russian Federation', 'RU'],
    [undefined, 'México', 'MX'],
    [undefined, 'Atlantis', undefined],
    [undefined, undefined, undefined],
  ];
  for (const [code, name, country] of [...cases, ...cases]) {
    assert.equal(cleanCountry(code, name), country, `${code} ${name}`);
  }
});

test('a coordinate is a place on earth', () => {
  assert.deepEqual(cleanCoordinate(51.5, -0.1), { latitude: 51.5, longitude: -0.1 });
  assert.deepEqual(cleanCoordinate(51.500000049, -0.100001), { latitude: 51.5, longitude: -0.1 });
  assert.deepEqual(cleanCoordinate(0, 9.45), { latitude: 0, longitude: 9.45 });
  const wrong: [number, number][] = [
    [0, 0],
    [0.0001, -0.0002],
    [139.7, 35.7],
    [91, 0],
    [12, 181],
    [Number.NaN, 1],
    [1, Number.POSITIVE_INFINITY],
  ];
  for (const [latitude, longitude] of wrong) {
    assert.equal(cleanCoordinate(latitude, longitude), undefined, `${latitude},${longitude}`);
  }
});
