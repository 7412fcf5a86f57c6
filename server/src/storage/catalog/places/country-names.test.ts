import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countries } from 'countries-list';
import { iso31661 } from 'iso-3166';
import { COUNTRY_CODES, parseCountry } from './country-names.ts';

const cases: [text: string, code: string | undefined][] = [
  ['DE', 'DE'],
  ['de', 'DE'],
  ['UK', 'GB'],
  ['EL', 'GR'],
  ['USA', 'US'],
  ['The United States Of America', 'US'],
  ['The United Kingdom Of Great Britain And Northern Ireland', 'GB'],
  ['Northern Ireland', 'GB'],
  ['Ireland', 'IE'],
  ['Russian Federation', 'RU'],
  ['Россия', 'RU'],
  ['Deutschland', 'DE'],
  ['日本', 'JP'],
  ['Islamic Republic of Iran', 'IR'],
  ['Moldova, Republic of', 'MD'],
  ['The Republic Of Moldova', 'MD'],
  ['The Democratic Peoples Republic Of Korea', 'KP'],
  ['Republic of Korea', 'KR'],
  ['Taiwan, Republic Of China', 'TW'],
  ['Coted Ivoire', 'CI'],
  ['Dominica', 'DM'],
  ['Dominican Republic', 'DO'],
  ['Congo', 'CG'],
  ['Democratic Republic of the Congo', 'CD'],
  ['Kosovo', 'XK'],
  ['Swaziland', 'SZ'],
  ['Turkey', 'TR'],
  ['QQ', undefined],
  ['Atlantis', undefined],
  ['Republic of', undefined],
  ['the', undefined],
  ['', undefined],
  ['constructor', undefined],
];
for (const [text, code] of cases) {
  test(`"${text}" is ${code ?? 'no country'}`, () => assert.equal(parseCountry(text), code));
}

test('every country is known by its code and by the names of both lists', () => {
  assert.equal(COUNTRY_CODES.length, 250);
  for (const code of COUNTRY_CODES) assert.equal(parseCountry(code), code);
  for (const { alpha2, name } of iso31661) assert.equal(parseCountry(name), alpha2, name);
  for (const [code, { name }] of Object.entries(countries)) {
    if (COUNTRY_CODES.includes(code)) assert.equal(parseCountry(name), code, name);
  }
});
