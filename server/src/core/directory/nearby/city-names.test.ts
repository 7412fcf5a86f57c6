import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cityNameKeys, parseCityNames } from './city-names.ts';

test('a city is known by the names its own people use, in its country', () => {
  assert.deepEqual(cityNameKeys('AT', 'Vienna'), ['vienna', 'wien']);
  assert.ok(cityNameKeys('RU', 'Moscow').includes('москва'));
  assert.deepEqual(cityNameKeys('US', 'Vienna'), ['vienna'], 'one of another country has no such name');
  assert.deepEqual(cityNameKeys(undefined, 'Lyon'), ['lyon']);
});

test('a line that cannot be read says how to write it', () => {
  assert.throws(() => parseCityNames('# cities\nVienna = Wien'), /line 2: write it as "AT Vienna: Wien"/);
});

const LARGE =
  'AT Wien, DE Köln, DE München, CZ Praha, RU Moskva, IT Roma, PL Warszawa, PT Lisboa, JP 東京, GR Αθήνα';
const ENGLISH = 'Vienna, Cologne, Munich, Prague, Moscow, Rome, Warsaw, Lisbon, Tokyo, Athens'.split(', ');
for (const [index, line] of LARGE.split(', ').entries())
  test(`${line} is known`, () => {
    const [country = '', own = ''] = line.split(' ');
    const [key = ''] = parseCityNames(`${country} X: ${own}`).get(`${country} x`) ?? [];
    assert.ok(cityNameKeys(country, ENGLISH[index] ?? '').includes(key));
  });
