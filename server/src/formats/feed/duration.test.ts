import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDuration } from './duration.ts';

const DURATIONS: [text: string, seconds: number | undefined][] = [
  ['1:02:03', 3723],
  ['01:02:03.450', 3723],
  ['62:03', 3723],
  [' 3723 ', 3723],
  ['3723.9', 3723],
  ['1h 2m 3s', 3723],
  ['PT1H2M3S', 3723],
  ['45 min', 2700],
  ['90 minutes', 5400],
  ['12s', 12],
  ['0', undefined],
  ['00:00:00', undefined],
  ['-5', undefined],
  ['9999999', undefined],
  ['an hour', undefined],
  ['1:2:3:4', undefined],
  ['', undefined],
  ['1'.repeat(1000), undefined],
];
for (const [text, seconds] of DURATIONS) {
  test(`${text.slice(0, 20)} is ${seconds}`, () => assert.equal(parseDuration(text), seconds));
}
