import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { opusBitrate } from './opus-bitrate.ts';

const encode = (kbps: number, seconds: number): Buffer => {
  const tone = `-nostdin -loglevel error -f lavfi -i sine=frequency=440:sample_rate=48000 -t ${seconds}`;
  const opus = `-c:a libopus -b:a ${kbps}k -vbr off -f ogg -`;
  return execFileSync('ffmpeg', `${tone} ${opus}`.split(' '), { maxBuffer: 2 ** 24 });
};
/** Two pages: what it is, and the comments. */
const headersOf = (bytes: Buffer): Buffer =>
  bytes.subarray(0, bytes.indexOf('OggS', bytes.indexOf('OggS', 1) + 1));

test('the bitrate is that of the sound, from the beginning and from the middle', () => {
  for (const kbps of [24, 48, 96]) {
    const bytes = encode(kbps, 10);
    const piece = kbps * 500;
    assert.equal(opusBitrate(bytes.subarray(0, piece)), kbps);
    assert.equal(opusBitrate(Buffer.concat([headersOf(bytes), bytes.subarray(piece, 2 * piece)])), kbps);
  }
});

test('of too little sound and of no sound at all nothing is known', () => {
  const bytes = encode(48, 2);
  assert.equal(opusBitrate(headersOf(bytes)), undefined);
  assert.equal(opusBitrate(Buffer.from('OggS'.repeat(100))), undefined);
  assert.equal(opusBitrate(Buffer.alloc(0)), undefined);
});

test('of two songs in a row the newer one counts', () => {
  const [older, newer] = [encode(96, 2), encode(32, 2)];
  assert.equal(opusBitrate(Buffer.concat([older, newer])), 32);
});
