import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Writable } from 'node:stream';
import { RelayListener } from './relay-listener.ts';

/** MPEG 1 Layer 3, 64 kbit/s at 48 kHz. */
const FRAME = Buffer.alloc(192, 1);
FRAME.set([0xff, 0xfb, 0x54, 0xc0]);
const SECOND = Buffer.concat(Array.from({ length: 42 }, () => FRAME));

/** A radio's connection that takes what it is given only as long as it reads. */
class Radio extends Writable {
  readonly heard: Buffer[] = [];
  #isReading = true;
  #waiting: (() => void) | undefined;

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.heard.push(chunk);
    if (this.#isReading) done();
    else this.#waiting = done;
  }

  set reads(reads: boolean) {
    this.#isReading = reads;
    if (!reads) return;
    const done = this.#waiting;
    this.#waiting = undefined;
    done?.();
  }

  get bytes(): number {
    return this.heard.reduce((sum, { length }) => sum + length, 0);
  }
}

const seconds = (listener: RelayListener, from: number, count: number): 'slow' | undefined => {
  let why: 'slow' | undefined;
  for (let second = from; second < from + count && !why; second += 1) {
    listener.body(SECOND);
    why = listener.tick(second * 1000);
  }
  return why;
};

test('what arrives between two ticks is one write', () => {
  const radio = new Radio();
  const listener = new RelayListener(radio, false);
  for (let n = 0; n < 10; n += 1) listener.body(SECOND);
  assert.equal(listener.tick(0), undefined);
  assert.equal(radio.heard.length, 1);
  assert.equal(radio.bytes, 10 * SECOND.length);
});

test('a radio that does not read for a while misses that while, and hears on with whole frames', async () => {
  const radio = new Radio();
  const listener = new RelayListener(radio, false);
  radio.reads = false;
  assert.equal(seconds(listener, 0, 60), undefined);
  assert.ok(radio.writableLength < 400_000, `${radio.writableLength} bytes are kept for it`);
  radio.reads = true;
  await new Promise(setImmediate);
  const before = radio.bytes;
  assert.equal(seconds(listener, 60, 10), undefined);
  assert.ok(radio.bytes > before);
  assert.equal(radio.bytes % FRAME.length, 0);
});

test('one that reads nothing for half a minute is given up', () => {
  const radio = new Radio();
  const listener = new RelayListener(radio, false);
  radio.reads = false;
  assert.equal(seconds(listener, 0, 200), 'slow');
});

test('nor is one kept that falls behind again and again', async () => {
  const radio = new Radio();
  const listener = new RelayListener(radio, false);
  let why: 'slow' | undefined;
  for (let round = 0; round < 4 && !why; round += 1) {
    radio.reads = false;
    for (let n = 0; n < 50; n += 1) listener.body(SECOND);
    listener.tick(round * 1000);
    radio.reads = true;
    await new Promise(setImmediate);
    why = listener.tick(round * 1000 + 500);
  }
  assert.equal(why, 'slow');
});

test('while nothing comes from the station, there is as much silence as time, after what a player has anyway', () => {
  const radio = new Radio();
  const listener = new RelayListener(radio, false);
  listener.body(SECOND);
  for (let ms = 0; ms <= 13_000; ms += 250) listener.tick(ms);
  const frames = (radio.bytes - SECOND.length) / FRAME.length;
  // Frames of 24 ms, from the third second on.
  assert.ok(frames > 0.95 * (10_000 / 24) && frames < 1.05 * (10_000 / 24), `${frames} frames`);
  assert.ok(
    radio.heard
      .at(-1)
      ?.subarray(4, FRAME.length)
      .every((byte) => byte === 0),
  );
  listener.seam();
  listener.body(SECOND);
  listener.tick(13_250);
  assert.deepEqual(radio.heard.at(-1), SECOND);
});

test('a short gap is not filled: the player has enough', () => {
  const radio = new Radio();
  const listener = new RelayListener(radio, false);
  listener.body(SECOND);
  for (let ms = 0; ms <= 2500; ms += 250) listener.tick(ms);
  assert.equal(radio.bytes, SECOND.length);
});
