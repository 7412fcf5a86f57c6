import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeRoom } from './save-preset.ts';

/** Buttons as text: a letter stands on its number, a dot is a gap. `from` is the number that was left. */
const CASES: [name: string, others: string, number: number, from: number | undefined, after: string][] = [
  ['a free number moves nobody', 'ab.d', 3, undefined, 'ab_d'],
  ['a number behind all moves nobody', 'ab', 5, undefined, 'ab.._'],
  ['the run moves up as far as the first gap', 'abc.e', 2, undefined, 'a_bce'],
  ['without a gap the last moves behind', 'abc', 1, undefined, '_abc'],
  ['from before: the run between moves down', '.bcd', 3, 1, 'bc_d'],
  ['from before: the run between moves down to a gap nearer', '.b.d', 4, 1, '.bd_'],
  ['from behind: the run between moves up', 'abc.e', 2, 4, 'a_bce'],
  ['from behind: the run between moves up to a gap nearer', 'a.c.', 1, 4, '_ac.'],
  ['to a free number: only the one that moves', 'a.c', 2, 4, 'a_c'],
  ['from the first to the last', '.bc', 3, 1, 'bc_'],
];
for (const [name, others, number, from, after] of CASES) {
  test(name, () => {
    const places = Array.from(others).flatMap((letter, index) =>
      letter === '.' ? [] : { id: letter.charCodeAt(0), position: index + 1 },
    );
    const moved = new Map(makeRoom(places, number, from).map(({ id, position }) => [id, position]));
    const line: string[] = [];
    line[number - 1] = '_';
    for (const { id, position } of places) {
      const at = (moved.get(id) ?? position) - 1;
      assert.equal(line[at], undefined, `two on ${at + 1}`);
      line[at] = String.fromCharCode(id);
    }
    const written = Array.from({ length: Math.max(line.length, after.length) }, (_, n) => line[n] ?? '.');
    assert.equal(written.join(''), after);
  });
}
