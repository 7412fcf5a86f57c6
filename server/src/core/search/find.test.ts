import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assert as check, constantFrom, property, string } from 'fast-check';
import { isOneErrorApart } from './find.ts';

const PAIRS: [typed: string, meant: string, apart: boolean][] = [
  ['radoi', 'radio', true],
  ['rado', 'radio', true],
  ['raadio', 'radio', true],
  ['radip', 'radio', true],
  ['adio', 'radio', true],
  ['ardio', 'radio', true],
  ['radix', 'radio', true],
  ['rdaoi', 'radio', false],
  ['radi', 'radios', false],
  ['rodia', 'radio', false],
  ['', 'ab', false],
];
for (const [typed, meant, apart] of PAIRS) {
  test(`${typed} for ${meant}: ${apart}`, () => assert.equal(isOneErrorApart(typed, meant), apart));
}

/** Everything that one typing error makes of a word, made one by one. */
function* errorsOf(word: string, letters: readonly string[]): Generator<string> {
  for (let at = 0; at <= word.length; at += 1) {
    const [left, right] = [word.slice(0, at), word.slice(at)];
    yield left + right.slice(1);
    if (right.length > 1) yield left + right[1] + right[0] + right.slice(2);
    for (const letter of letters) {
      yield left + letter + right;
      if (right !== '') yield left + letter + right.slice(1);
    }
  }
}

test('it is what making every error says', () => {
  const word = string({ unit: constantFrom('a', 'b', 'c'), maxLength: 6 });
  check(
    property(word, word, (typed, meant) => {
      const all = new Set([meant, ...errorsOf(meant, ['a', 'b', 'c'])]);
      assert.equal(isOneErrorApart(typed, meant), all.has(typed));
    }),
    { numRuns: 2000 },
  );
});
