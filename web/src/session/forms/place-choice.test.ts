import assert from 'node:assert/strict';
import test from 'node:test';
import { placeChoice, writePlace } from './place-choice.ts';

const springfield = {
  id: 'r12',
  city: 'Springfield',
  state: 'Illinois',
  country: 'US',
  countryName: 'United States',
};

test('a town that was chosen is told as such', () => {
  assert.deepEqual(placeChoice('Springfield', springfield), { id: 'r12' });
});

test('a postal code of the United States or Canada stands for itself', () => {
  for (const text of ['90210', '90210-1234', 'K1A 0B1', ' k1a0b1 '])
    assert.deepEqual(placeChoice(text, undefined), { postal: text.trim() });
});

test('what was typed and never chosen is no place', () => {
  for (const text of ['Cork', '', '123', 'K1A']) assert.equal(placeChoice(text, undefined), undefined);
});

test('a town is shown with its state and its country, in the language of the reader', () => {
  assert.equal(writePlace(springfield, 'de'), 'Springfield, Illinois, Vereinigte Staaten');
  assert.equal(
    writePlace({ id: 'r1', city: 'Berlin', state: 'Berlin', country: 'DE' }, 'en'),
    'Berlin, Germany',
  );
  assert.equal(writePlace({ id: 'r2', city: 'Cork', state: null }, 'en'), 'Cork');
  assert.equal(writePlace({ ...springfield, country: '??' }, 'en'), 'Springfield, Illinois, United States');
});
