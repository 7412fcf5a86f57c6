import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MediaPlaylist } from '../../../formats/hls/parse-hls.ts';
import { awayMs, freshSegments, mediaTypeOf, reloadMs } from './hls-segments.ts';

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

test('a list that a server near by has kept for long is no new start, and other numbers are', () => {
  const whole = listOf(
    1,
    Array.from({ length: 12 }, () => 1),
  );
  const window = (first: number): MediaPlaylist => ({
    ...whole,
    segments: whole.segments.slice(first, first + 6),
  });
  const [old, heard, next] = [window(0), window(4), window(6)];
  const last = heard.segments.at(-1);
  const freshIn = (media: MediaPlaylist, before: MediaPlaylist): number[] =>
    freshSegments(media, last, before.segments).map(({ sequence }) => sequence);
  assert.deepEqual(freshIn(old, heard), []);
  assert.deepEqual(freshIn(next, old), [10, 11]);
  assert.deepEqual(freshIn(listOf(1, [1, 1]), heard), [0, 1]);
});

const frames = (header: string, length: number): Buffer =>
  Buffer.concat(Array.from({ length: 4 }, () => Buffer.concat([Buffer.from(header, 'hex')], length)));
const AAC = frames('fff14c800d7ffc', 107);
const MP3 = frames('fffb54c0', 192);

test('a segment is called what it is, also where it begins in the middle of a frame', () => {
  for (const from of [0, 50, 100]) {
    assert.equal(mediaTypeOf(AAC.subarray(from)), 'audio/aac');
    assert.equal(mediaTypeOf(MP3.subarray(from)), 'audio/mpeg');
  }
  assert.equal(mediaTypeOf(AAC.subarray(0, 107)), 'audio/aac');
});
