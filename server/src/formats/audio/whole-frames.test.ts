import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WholeFrames } from './whole-frames.ts';

/** MPEG 1 Layer 3, 64 kbit/s at 48 kHz: 192 bytes. */
function mp3Frame(fill: number): Buffer {
  const frame = Buffer.alloc(192, fill);
  frame.set([0xff, 0xfb, 0x54, 0xc0]);
  return frame;
}

/** AAC-LC at 48 kHz, two channels. */
function adtsFrame(length: number, fill: number): Buffer {
  const frame = Buffer.alloc(length, fill);
  frame.set([
    0xff,
    0xf1,
    0x4c,
    0x80 | (length >> 11),
    (length >> 3) & 0xff,
    ((length & 7) << 5) | 0x1f,
    0xfc,
  ]);
  return frame;
}

const pushAll = (frames: WholeFrames, bytes: Buffer, size: number): Buffer => {
  const sent: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    frames.push(bytes.subarray(at, at + size));
    sent.push(frames.take());
  }
  return Buffer.concat(sent);
};

const MP3 = Buffer.concat(Array.from({ length: 40 }, (_none, n) => mp3Frame(n)));
const AAC = Buffer.concat(Array.from({ length: 40 }, (_none, n) => adtsFrame(150 + n, n)));

for (const [name, stream] of Object.entries({ MP3, AAC }))
  for (const size of [1, 7, 100, 1400, 20_000])
    test(`${name} in pieces of ${size} bytes comes out as it went in`, () => {
      assert.deepEqual(pushAll(new WholeFrames(), stream, size), stream);
    });

test('it begins with a whole frame, wherever a listener tunes in', () => {
  assert.deepEqual(pushAll(new WholeFrames(), MP3.subarray(100), 64), MP3.subarray(192));
});

test('where a connection ends in the middle of a frame, the next one begins with a whole one', () => {
  const frames = new WholeFrames();
  const before = pushAll(frames, MP3.subarray(0, 15 * 192 + 50), 500);
  frames.seam();
  const behind = pushAll(frames, MP3.subarray(20 * 192 + 90), 500);
  assert.deepEqual(before, MP3.subarray(0, 15 * 192));
  assert.deepEqual(behind, MP3.subarray(21 * 192));
});

test('what lies between frames is passed on', () => {
  const tagged = Buffer.concat([MP3, Buffer.from('TAG of some bytes that are no frame'), MP3]);
  assert.deepEqual(pushAll(new WholeFrames(), tagged, 333), tagged);
});

test('another format passes unchanged, after a look at its first bytes', () => {
  const ogg = Buffer.alloc(100_000, 'OggS and what follows ');
  assert.deepEqual(pushAll(new WholeFrames(), ogg, 1400), ogg);
});

test('what says that it is another format is taken at once, however little there is of it', () => {
  for (const beginning of ['OggS', 'fLaC', 'RIFF', '\x30\x26\xb2\x75', '\x1a\x45\xdf\xa3']) {
    const frames = new WholeFrames();
    const first = Buffer.alloc(2100, 'what follows');
    first.write(beginning, 'latin1');
    frames.push(first);
    assert.deepEqual(frames.take(), first, beginning);
    assert.ok(frames.hadFrame);
    assert.deepEqual(pushAll(frames, MP3, 10), MP3);
  }
});

test('in the middle of MP3 the same letters are nothing', () => {
  const tagged = Buffer.concat([MP3, Buffer.from('OggS'), MP3]);
  assert.deepEqual(pushAll(new WholeFrames(), tagged.subarray(100), 333), tagged.subarray(192));
  const frames = new WholeFrames();
  pushAll(frames, Buffer.alloc(2100, 'OggS'), 100);
  frames.seam();
  assert.deepEqual(pushAll(frames, MP3.subarray(100), 64), MP3.subarray(192));
});

test('what says nothing is taken as soon as it cannot be MP3 or AAC', () => {
  const frames = new WholeFrames();
  const unknown = Buffer.alloc(16_385, 'what it may be');
  assert.deepEqual(pushAll(frames, unknown, 100).length, 16_385);
});

test('a burst is taken at once, and needs no memory afterwards', () => {
  const frames = new WholeFrames();
  const burst = Buffer.concat(Array.from({ length: 20 }, () => MP3));
  frames.push(burst);
  assert.deepEqual(frames.take(), burst);
  assert.deepEqual(pushAll(frames, MP3, 1000), MP3);
});

test('what was looked at is not kept in the memory of who pushed it', () => {
  const frames = new WholeFrames();
  const landing = Buffer.alloc(300);
  const sent: Buffer[] = [];
  for (let at = 0; at < MP3.length; at += 300) {
    landing.fill(0);
    MP3.copy(landing, 0, at, at + 300);
    frames.push(landing.subarray(0, Math.min(300, MP3.length - at)));
    sent.push(frames.take());
  }
  assert.deepEqual(Buffer.concat(sent), MP3);
});
