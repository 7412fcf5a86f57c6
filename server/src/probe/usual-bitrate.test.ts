import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usualBitrate } from './usual-bitrate.ts';

const ROWS: [
  what: string,
  measured: number | undefined,
  told: number | undefined,
  bitrate: number | undefined,
][] = [
  ['nothing is known', undefined, undefined, undefined],
  ['nothing is measured', undefined, 128, 128],
  ['a station that says nothing of use', undefined, 0, undefined],
  ['a station that says more than there is', undefined, 99_999_999, undefined],
  ['as the station says, more or less', 61.7, 64, 64],
  ['a station that is wrong', 128, 320, 128],
  ['measured alone', 121.3, undefined, 128],
  ['measured alone, between two', 71, undefined, 64],
  ['a measure that is none', Number.NaN, 96, 96],
  ['lossless', 812, undefined, 768],
];

for (const [what, measured, told, bitrate] of ROWS)
  test(`${what}: ${bitrate}`, () => assert.equal(usualBitrate(measured, told), bitrate));
