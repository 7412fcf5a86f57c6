import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IncomingSound } from './incoming-sound.ts';

/** MPEG 1 Layer 3, 64 kbit/s at 48 kHz: frames of 24 ms. */
const FRAME = Buffer.alloc(192, 1);
FRAME.set([0xff, 0xfb, 0x54, 0xc0]);
const FRAME_MS = 24;
const SECOND = Buffer.concat(Array.from({ length: 42 }, () => FRAME));

const collectUntil = (sound: IncomingSound, endMs: number): Buffer[] => {
  const collected: Buffer[] = [];
  for (let ms = 0; ms <= endMs; ms += 250) collected.push(...[sound.collect(ms)].flatMap((all) => all ?? []));
  return collected;
};

test('what arrives between two ticks is one piece', () => {
  const sound = new IncomingSound();
  for (let n = 0; n < 10; n += 1) sound.body(SECOND);
  assert.equal(sound.collect(0)?.length, 10 * SECOND.length);
  assert.equal(sound.collect(250), undefined);
});

test('while nothing comes from the station, there is as much silence as time, after what a player has anyway', () => {
  const sound = new IncomingSound();
  sound.body(SECOND);
  const [first, ...silent] = collectUntil(sound, 13_000);
  assert.deepEqual(first, SECOND);
  const frames = Buffer.concat(silent).length / FRAME.length;
  assert.ok(Math.abs(frames - 10_000 / FRAME_MS) < 0.05 * (10_000 / FRAME_MS), `${frames} frames`);
  assert.ok(silent.every((piece) => piece.subarray(4, FRAME.length).every((byte) => byte === 0)));
  sound.seam();
  sound.body(SECOND);
  assert.deepEqual(sound.collect(13_250), SECOND);
});

test('a short gap is not filled: the player has enough', () => {
  const sound = new IncomingSound();
  sound.body(SECOND);
  assert.deepEqual(collectUntil(sound, 2500), [SECOND]);
});

test('a machine that slept for an hour sends no hour of silence', () => {
  const sound = new IncomingSound();
  sound.body(SECOND);
  collectUntil(sound, 5000);
  const after = sound.collect(3_600_000);
  assert.ok(after && after.length <= 2 * FRAME.length, `${after?.length} bytes`);
});
