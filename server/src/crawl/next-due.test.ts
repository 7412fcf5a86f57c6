import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dueAfterFailure, dueAfterReading, isGoneForGood } from './next-due.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;

test('a feed that was read is due after its interval, or when it and its server ask, within a day', () => {
  const due = (facts: object): number => dueAfterReading({ intervalSeconds: HOUR, chance: 0.5, ...facts });
  assert.equal(due({}), HOUR);
  assert.equal(due({ askedSeconds: 2 * HOUR }), 2 * HOUR);
  assert.equal(due({ askedSeconds: 60 }), HOUR);
  assert.equal(due({ askedSeconds: 31_536_000 }), DAY);
});

test('a feed is never read before it and its server want', () => {
  for (const chance of [0, 0.3, 1])
    assert.ok(dueAfterReading({ intervalSeconds: 900, askedSeconds: 2 * HOUR, chance }) >= 2 * HOUR);
});

test('feeds that came together do not stay together', () => {
  assert.equal(dueAfterReading({ intervalSeconds: HOUR, chance: 0 }), 3240);
  assert.equal(dueAfterReading({ intervalSeconds: HOUR, chance: 1 }), 3960);
});

test('a feed that fails waits twice as long each time, a week at most, and as long as its server says', () => {
  const due = (failures: number, retryAfterSeconds?: number): number =>
    dueAfterFailure({ intervalSeconds: HOUR, failures, retryAfterSeconds, chance: 0.5 });
  assert.deepEqual(
    [1, 2, 3, 4].map((failures) => due(failures)),
    [2 * HOUR, 4 * HOUR, 8 * HOUR, 16 * HOUR],
  );
  assert.equal(due(40), 7 * DAY);
  assert.equal(due(1, 5 * HOUR), 5 * HOUR);
  assert.equal(due(1, 31_536_000), 7 * DAY);
});

test('gone is gone when it was said three times', () => {
  assert.deepEqual(
    [1, 2, 3].map((failures) => isGoneForGood(410, failures)),
    [false, false, true],
  );
  assert.equal(isGoneForGood(404, 100), false);
});
