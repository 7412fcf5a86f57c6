import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomNumbers } from '../../test/random-catalogue.ts';
import { Nearest } from './nearest.ts';

test('keeps the nearest in order, the lower rank first where the distance is the same', () => {
  const random = randomNumbers(7);
  for (const room of [1, 2, 7, 50, 500]) {
    const offers = Array.from({ length: 200 }, (_none, rank) => ({
      rank,
      distance: Math.floor(random() * 30),
    }));
    const nearest = new Nearest(room);
    for (const { rank, distance } of offers.toSorted(() => random() - 0.5)) nearest.offer(distance, rank);
    const expected = offers.toSorted((a, b) => a.distance - b.distance || a.rank - b.rank).slice(0, room);
    assert.deepEqual(
      nearest.ranks,
      expected.map(({ rank }) => rank),
    );
    assert.equal(nearest.farthest, room > offers.length ? Infinity : expected.at(-1)?.distance);
  }
});
