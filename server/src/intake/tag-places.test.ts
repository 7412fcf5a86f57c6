import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findCountryOfTags, findStateOfTags } from './tag-places.ts';

test('a tag may name a state of the country', () => {
  const cases: [string[], string, string | undefined][] = [
    [['pop', 'bayern'], 'DE', 'Bayern'],
    [['jalisco'], 'MX', 'Jalisco'],
    [['nuevo leon'], 'MX', 'Nuevo León'],
    [['california', 'texas'], 'US', 'California'],
    [['jalisco'], 'DE', undefined],
    [['méxico'], 'MX', undefined],
    [['central'], 'UG', undefined],
    [['pop'], 'UZ', undefined],
    [['bayern'], 'ZZ', undefined],
    [[], 'DE', undefined],
  ];
  for (const [tags, country, state] of cases)
    assert.equal(findStateOfTags(tags, country), state, `${country} ${tags.join()}`);
});

test('tags may name a country, if only one', () => {
  assert.equal(findCountryOfTags(['deutschland', 'pop', 'germany']), 'DE');
  assert.equal(findCountryOfTags(['méxico']), 'MX');
  assert.equal(findCountryOfTags(['france', 'italy']), undefined);
  assert.equal(findCountryOfTags(['pop', 'am', 'in', 'no']), undefined);
});
