import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cadenceSeconds } from './cadence.ts';

const NOW = Date.parse('2026-06-01T12:00:00Z');
const HOUR = 3600;
const DAY = 24 * HOUR;

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
