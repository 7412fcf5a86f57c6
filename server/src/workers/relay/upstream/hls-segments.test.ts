import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MediaPlaylist } from '../../../formats/hls/parse-hls.ts';
import { awayMs, reloadMs } from './hls-segments.ts';

function listOf(targetSeconds: number, seconds: readonly number[]): MediaPlaylist {
  const segments = seconds.map((length, n) => ({
    address: `http://a.example/${n}`,
    sequence: n,
    seconds: length,
  }));
  return { kind: 'media', targetSeconds, segments, isEncrypted: false, hasEnded: false };
}

const CASES: [
  what: string,
  list: MediaPlaylist,
  longestMs: number | undefined,
  expected: [number, number],
][] = [
  ['as most stations do', listOf(6, [6, 6, 6]), 6000, [6000, 18_000]],
  ['of a second each, said to be of up to thirty', listOf(30, [1, 1, 1]), 1000, [1000, 90_000]],
  ['said to last an hour, and not how long each', listOf(3600, [3600, 3600]), 1000, [1000, 120_000]],
  ['of which none was heard, said to last an hour', listOf(3600, [3600]), undefined, [60_000, 120_000]],
  ['said to last no time', listOf(0, [0, 0]), 1000, [1000, 15_000]],
  ['of a time that only the list as a whole says', listOf(6, [0, 0]), 6000, [6000, 18_000]],
  ['the last of which is short', listOf(10, [10, 10, 10, 0.4]), 10_000, [7600, 30_000]],
  ['of thirty seconds', listOf(30, [30, 30, 30]), 30_000, [30_000, 90_000]],
  ['of a minute', listOf(60, [60, 60, 60]), 60_000, [60_000, 180_000]],
  ['of an hour', listOf(3600, [3600]), 3_600_000, [60_000, 300_000]],
];
for (const [what, list, longestMs, expected] of CASES)
  test(`segments ${what}: asked for anew, and given up, after ${expected.join(' and ')} ms`, () => {
    assert.deepEqual([Math.round(reloadMs(list, longestMs)), awayMs(list, longestMs)], expected);
  });
