import assert from 'node:assert/strict';
import { test } from 'node:test';
import { box } from '../../../test/stations/transport.ts';
import { type AacConfig, adtsOfFragments } from './fragmented-mp4.ts';
import { findFrames, readAdtsFrame } from './frames.ts';

/** AAC-LC at 48 kHz, two channels. */
const CONFIG: AacConfig = { objectType: 2, rateIndex: 3, channels: 2 };
const HEADER = 7;

const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** A `moof` that says how long its frames are: each by itself, or, without sizes, how many of the usual length. */
function moof(sizes: readonly number[], usual = 0, count = sizes.length): Buffer {
  const tfhd = box('tfhd', Buffer.concat([number(0x10), number(1), number(usual)]));
  const flags = sizes.length > 0 ? 0x200 : 0;
  const trun = box('trun', Buffer.concat([number(flags), number(count), ...sizes.map(number)]));
  return box('moof', box('traf', Buffer.concat([tfhd, trun])));
}

test('a fragment for each frame: every frame of a segment is there', () => {
  // Six seconds.
  const frames = Array.from({ length: 281 }, (_none, n) => Buffer.alloc(100 + (n % 7), n));
  const fragments = frames.flatMap((frame) => [moof([frame.length]), box('mdat', frame)]);
  const sound = adtsOfFragments(Buffer.concat([box('styp', Buffer.from('msdh')), ...fragments]), CONFIG);
  let at = 0;
  for (const frame of frames) {
    assert.equal(readAdtsFrame(sound, at)?.bytes, HEADER + frame.length);
    assert.deepEqual(sound.subarray(at + HEADER, at + HEADER + frame.length), frame);
    at += HEADER + frame.length;
  }
  assert.equal(at, sound.length);
  assert.equal(findFrames(sound, readAdtsFrame).length, frames.length);
});

test('frames without number that a small segment claims to have are not made', () => {
  const fragment = Buffer.concat([moof([], 0, 2 ** 32 - 1), box('mdat', Buffer.alloc(0))]);
  const sound = adtsOfFragments(Buffer.concat(Array.from({ length: 4000 }, () => fragment)), CONFIG);
  assert.ok(sound.length <= 20_000 * HEADER, `${sound.length} bytes`);
});
