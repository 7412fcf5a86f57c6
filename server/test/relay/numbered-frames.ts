import assert from 'node:assert/strict';
import { readMpegFrame } from '../../src/formats/audio/frames.ts';

export const FRAME_BYTES = 192;
export const FRAME_MS = 24;

/** MPEG 1 Layer 3, 64 kbit/s at 48 kHz; what is in it tells which one it is. Number 0 is that of silence. */
function frame(number: number): Buffer {
  const bytes = Buffer.alloc(FRAME_BYTES, 1);
  bytes.set([0xff, 0xfb, 0x54, 0xc0]);
  bytes.writeUInt32BE(number, 4);
  return bytes;
}

export const framesFrom = (first: number, count: number): Buffer =>
  Buffer.concat(Array.from({ length: count }, (_none, n) => frame(first + n)));

/** The numbers of the whole frames in a body, which has nothing else in it. */
export function numbersIn(body: Buffer): number[] {
  const numbers: number[] = [];
  for (let at = 0; at + FRAME_BYTES <= body.length; at += FRAME_BYTES) {
    assert.ok(readMpegFrame(body, at), `no frame at ${at}`);
    numbers.push(body.readUInt32BE(at + 4));
  }
  return numbers;
}
