import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fill } from './fill.ts';

test('values stand where the message wants them, as they are', () => {
  assert.equal(fill('{a} of {b}, {a}', { a: '{b} $& #', b: 2 }, 'en'), '{b} $& # of 2, {b} $& #');
  assert.equal(fill('{a} of {b}', { a: 1 }, 'en'), '1 of {b}');
  assert.equal(fill('{constructor}', {}, 'en'), '{constructor}');
});

const RUSSIAN = 'ещё {count|one:# день|few:# дня|many:# дней}.';
const ARABIC = '{count|zero:لا أيام|one:يوم واحد|two:يومان|few:# أيام|many:# يومًا|other:# يوم}';

test('a number has the form that its language wants', () => {
  for (const [count, text] of [
    [0, '0 дней'],
    [1, '1 день'],
    [3, '3 дня'],
    [11, '11 дней'],
    [21, '21 день'],
    [112, '112 дней'],
  ] as const)
    assert.equal(fill(RUSSIAN, { count }, 'ru'), `ещё ${text}.`);
  assert.equal(fill(ARABIC, { count: 2 }, 'ar'), 'يومان');
  assert.equal(fill(ARABIC, { count: 7 }, 'ar'), '7 أيام');
  assert.equal(fill(ARABIC, { count: 100 }, 'ar'), '100 يوم');
});

test('a form that is not written is the last one; a value that is no number is taken as it is', () => {
  assert.equal(fill('{n|one:# day|other:# days}', { n: 1_000_000 }, 'es'), '1000000 days');
  assert.equal(fill('{n|one:# day|other:# days}', { n: 'many' }, 'en'), 'many days');
  assert.equal(fill('{n|one:# day|other:# days}', {}, 'en'), '{n} days');
});
