import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CONTINENTS, FIRST_OWN_REGION, listCountryRecords } from './countries.ts';

const countries = new Map(listCountryRecords().map((country) => [country.code, country]));

test('every country is on a continent of the tree', () => {
  const continents = new Set(CONTINENTS.map(({ code }) => code));
  assert.equal(countries.size, 250);
  for (const { code, continent } of countries.values()) assert.ok(continents.has(continent), code);
});

const cases: [code: string, continent: string][] = [
  ['US', 'NA'],
  ['MX', 'NA'],
  ['BM', 'NA'],
  ['JM', 'CA'],
  ['PA', 'CA'],
  ['RU', 'EU'],
  ['TR', 'AS'],
  ['NZ', 'OC'],
  ['AQ', 'AN'],
];
for (const [code, continent] of cases) {
  test(`${code} is in ${continent}`, () => assert.equal(countries.get(code)?.continent, continent));
}

test('the numbers of continents are the well-known ones, below those of our own', () => {
  const numbers = Object.fromEntries(CONTINENTS.map(({ code, id }) => [code, id]));
  assert.deepEqual(numbers, {
    AF: 101215,
    AN: 200000,
    AS: 101216,
    OC: 100297,
    CA: 101320,
    EU: 101217,
    NA: 101218,
    SA: 101219,
  });
  for (const { id } of CONTINENTS) assert.ok(id <= FIRST_OWN_REGION);
});
