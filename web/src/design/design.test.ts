import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dialPlace } from './dial-place.ts';
import { initialsOf, tintOf } from './initials.ts';

test('every station has a place of its own on the dial, and always the same', () => {
  const places = Array.from({ length: 1000 }, (_, index) => dialPlace(`s${index}`));
  assert.ok(places.every((place) => place >= 0.06 && place <= 0.94));
  assert.equal(dialPlace('s12'), dialPlace('s12'));
  const tenths = new Set(places.map((place) => Math.floor(place * 10)));
  assert.equal(tenths.size, 10, 'all over the scale');
});

test('initials are of any script', () => {
  const names = ['Harbour Folk', 'radio', 'راديو بيروت', '東京ラジオ', '  ', '—', 'สวท. เชียงใหม่', '👩‍👩‍👧 FM'];
  assert.deepEqual(names.map(initialsOf), ['HF', 'R', 'رب', '東', '~', '~', 'สเ', 'F']);
  assert.equal(tintOf('a'), tintOf('a'));
  assert.ok(tintOf('Ärger') < 360);
});
