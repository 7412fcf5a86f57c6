import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adtsFrames, mp3Frames } from '../../../test/stations/sounds.ts';
import { readAdtsFrame } from './frames.ts';

test('a frame of AAC is one, and a frame of MP3 is none', () => {
  assert.match(readAdtsFrame(adtsFrames(2), 0)?.codec ?? '', /^AAC/);
  // As MP3 begins too, but for the two bits that tell the layer.
  const mp3 = Buffer.from(adtsFrames(2));
  mp3[1] = 0xfb;
  assert.equal(readAdtsFrame(mp3, 0), undefined);
  assert.equal(readAdtsFrame(mp3Frames(2), 0), undefined);
});
