import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inTurns } from './in-turns.ts';

test('every item is taken once, in order, and others get their turn in between', async () => {
  const items = Array.from({ length: 20_000 }, (_none, index) => index);
  const taken: number[] = [];
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  await inTurns(items, (item, index) => {
    taken.push(item + index);
    for (const until = performance.now() + 0.003; performance.now() < until;);
  });
  clearInterval(timer);
  assert.deepEqual(
    taken,
    items.map((item) => 2 * item),
  );
  assert.ok(turns > 3, `${turns} turns for others`);
});
