import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanBitrate } from './clean-bitrate.ts';

test('kilobits stay, bits are divided, the absurd is unknown', () => {
  const cases: [number, number][] = [
    [128, 128],
    [127.6, 128],
    [1411, 1411],
    [128_000, 128],
    [320_000, 320],
    [6, 6],
    [5, 0],
    [0, 0],
    [-1, 0],
    [5500, 0],
    [99_999_999, 0],
    [Number.NaN, 0],
    [Number.POSITIVE_INFINITY, 0],
  ];
  for (const [value, kbps] of cases) assert.equal(cleanBitrate(value), kbps, String(value));
});
