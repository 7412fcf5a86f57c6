import { type Frame, findStart, readAdtsFrame, readMpegFrame } from './frames.ts';
import { FRAME_HEADER_BYTES } from './silent-frame.ts';

/** The largest header; with fewer bytes nobody can tell whether a frame begins. */
const HEADER_BYTES = 8;
/** The first look for frames; each further one has twice as much to look at. */
const FIRST_LOOK = 2048;
/** Without three frames in so much, it is no MP3 and no AAC. */
const MAX_LOOKED_AT = 16 * 1024;
const READERS = [readMpegFrame, readAdtsFrame];
const NOTHING = Buffer.alloc(0);

type ReadFrame = (bytes: Buffer, at: number) => Frame | undefined;

/**
 * Cuts a stream of MP3 or AAC between frames, and nowhere else: where one connection ends and the next begins, a decoder
 * finds a whole frame on both sides. Every byte from the first frame on is passed through, also what is no frame. Other
 * formats pass unchanged.
 */
export class WholeFrames {
  #read: ReadFrame | undefined;
  #isOther = false;
  /** What is not passed on yet: a part of a frame, or all so far. */
  #held: Buffer[] = [];
  #heldBytes = 0;
  /** With fewer bytes there is nothing to pass on: a stream that comes byte by byte is not searched as often. */
  #enough = FIRST_LOOK;
  /** Of the last frame that was passed on. */
  lastHeader: Buffer | undefined;

  /** Whole frames, ready to send: what is cut off comes with the next piece. The result may share the piece's memory. */
  push(piece: Buffer): Buffer {
    if (this.#isOther) return piece;
    if (this.#heldBytes + piece.length < this.#enough) {
      this.#hold(piece);
      return NOTHING;
    }
    const bytes = this.#heldBytes === 0 ? piece : Buffer.concat([...this.#held, piece]);
    this.#held = [];
    this.#heldBytes = 0;
    const start = this.#read ? 0 : this.#begin(bytes);
    if (this.#isOther) return bytes;
    const end = start === undefined ? 0 : this.#endOfFrames(bytes, start);
    this.#hold(bytes.subarray(end));
    return bytes.subarray(start ?? 0, end);
  }

  /** Another connection follows: what was cut off is dropped, and it begins with a whole frame. */
  seam(): void {
    this.#held = [];
    this.#heldBytes = 0;
    this.#enough = FIRST_LOOK;
    this.#read = undefined;
    this.#isOther = false;
  }

  /** Copied, since the memory of a piece is the reader's. */
  #hold(bytes: Buffer): void {
    if (bytes.length > 0) this.#held.push(Buffer.from(bytes));
    this.#heldBytes += bytes.length;
  }

  #begin(bytes: Buffer): number | undefined {
    for (const read of READERS) {
      const start = findStart(bytes, read);
      if (start === undefined) continue;
      this.#read = read;
      return start;
    }
    this.#enough = 2 * bytes.length;
    this.#isOther = bytes.length > MAX_LOOKED_AT;
    return undefined;
  }

  #endOfFrames(bytes: Buffer, start: number): number {
    let at = start;
    let last = -1;
    this.#enough = HEADER_BYTES;
    while (bytes.length - at >= HEADER_BYTES) {
      const frame = this.#read?.(bytes, at);
      if (frame && at + frame.bytes > bytes.length) {
        this.#enough = frame.bytes;
        break;
      }
      if (frame) last = at;
      at += frame ? frame.bytes : skipTo(bytes, at);
    }
    if (last !== -1) this.lastHeader = Buffer.from(bytes.subarray(last, last + FRAME_HEADER_BYTES));
    return at;
  }
}

/** How many bytes there are until something may begin again: tags and damaged frames lie between frames. */
function skipTo(bytes: Buffer, at: number): number {
  const next = bytes.indexOf(0xff, at + 1);
  return (next === -1 ? bytes.length : next) - at;
}
