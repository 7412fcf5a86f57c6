import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FeedTrouble } from './ask-feed.ts';
import {
  cadenceSeconds,
  dueAfterReading,
  feedDueAfterFailure,
  isGoneForGood,
  troubleOf,
} from './next-due.ts';

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
    feedDueAfterFailure({ intervalSeconds: HOUR, failures, retryAfterSeconds, chance: 0.5 });
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

test('what a feed is told to suffer from can be stored, whatever letters of its own it quotes', () => {
  const due = {
    show_id: 1,
    host: 'a.example',
    address: 'http://a.example/',
    etag: null,
    last_modified: null,
    interval_seconds: HOUR,
    failures: 0,
    trouble: null,
    digest: null,
    has_hub: false,
    claimed_at: Temporal.Instant.from('2026-06-01T12:00:00Z'),
  };
  for (const before of ['', 'a']) {
    const { trouble = '' } = troubleOf(new FeedTrouble(before + '\u{1f4fb}'.repeat(200)), due, 0.5).outcome;
    assert.ok(trouble.isWellFormed() && trouble.length >= 299, trouble);
  }
  assert.equal(troubleOf(new FeedTrouble('a\0b'), due, 0.5).outcome.trouble, 'ab');
});

const NOW = Date.parse('2026-06-01T12:00:00Z');

/** So many topics, the newest so long ago, with this gap between them. */
const series = (count: number, ago: number, gap: number): number[] =>
  Array.from({ length: count }, (_, index) => NOW - (ago + index * gap) * 1000);

const ROWS: [what: string, published: number[], seconds: number][] = [
  ['no times at all', [], 6 * HOUR],
  ['one topic of yesterday', series(1, DAY, 0), 6 * HOUR],
  ['news every half hour', series(20, 600, 1800), 15 * 60],
  ['every day', series(20, 5 * HOUR, DAY), 3 * HOUR],
  ['every week', series(20, 3 * DAY, 7 * DAY), 12 * HOUR],
  ['every month, the last one six weeks ago', series(12, 42 * DAY, 30 * DAY), 12 * HOUR],
  ['every day, silent for five weeks', series(20, 35 * DAY, DAY), DAY],
  ['every week, silent for two years', series(20, 730 * DAY, 7 * DAY), 7 * DAY],
  ['all on one day of last week', series(20, 7 * DAY, 0), 15 * 60],
  ['from the future', series(5, -DAY, DAY), 3 * HOUR],
];

for (const [what, published, seconds] of ROWS)
  test(`${what}: every ${seconds} s`, () => assert.equal(cadenceSeconds(published, NOW), seconds));
