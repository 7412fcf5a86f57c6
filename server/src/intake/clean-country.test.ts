import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanCountry } from './clean-country.ts';

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
