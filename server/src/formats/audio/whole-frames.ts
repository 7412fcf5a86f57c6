import { type Frame, findStart, readAdtsFrame, readMpegFrame } from './frames.ts';
import { FRAME_HEADER_BYTES } from './silent-frame.ts';

/** The largest header; with fewer bytes nobody can tell whether a frame begins. */
const HEADER_BYTES = 8;
/** Without three frames in so much, it is no MP3 and no AAC. */
const MAX_LOOKED_AT = 32 * 1024;
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
  #rest: Buffer = NOTHING;
  /** Of the last frame that was passed on. */
  lastHeader: Buffer | undefined;

  /** Whole frames, ready to send: what is cut off comes with the next piece. The result may share the piece's memory. */
  push(piece: Buffer): Buffer {
    if (this.#isOther) return piece;
    const bytes = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    const start = this.#read ? 0 : this.#begin(bytes);
    if (start === undefined) return this.#isOther ? this.#passOn(bytes) : this.#keep(bytes, 0, 0);
    return this.#keep(bytes, start, this.#endOfFrames(bytes, start));
  }

  /** Another connection follows: what was cut off is dropped, and it begins with a whole frame. */
  seam(): void {
    this.#rest = NOTHING;
    this.#read = undefined;
    this.#isOther = false;
  }

  #begin(bytes: Buffer): number | undefined {
    for (const read of READERS) {
      const start = findStart(bytes, read);
      if (start === undefined) continue;
      this.#read = read;
      return start;
    }
    this.#isOther = bytes.length > MAX_LOOKED_AT;
    return undefined;
  }

  #endOfFrames(bytes: Buffer, start: number): number {
    let at = start;
    let last = -1;
    while (bytes.length - at >= HEADER_BYTES) {
      const frame = this.#read?.(bytes, at);
      if (frame && at + frame.bytes > bytes.length) break;
      if (frame) last = at;
      at += frame ? frame.bytes : skipTo(bytes, at);
    }
    if (last !== -1) this.lastHeader = Buffer.from(bytes.subarray(last, last + FRAME_HEADER_BYTES));
    return at;
  }

  #keep(bytes: Buffer, start: number, end: number): Buffer {
    // The piece's memory is the reader's.
    this.#rest = Buffer.from(bytes.subarray(end));
    return bytes.subarray(start, end);
  }

  #passOn(bytes: Buffer): Buffer {
    this.#rest = NOTHING;
    return bytes;
  }
}

/** How many bytes there are until something may begin again: tags and damaged frames lie between frames. */
function skipTo(bytes: Buffer, at: number): number {
  const next = bytes.indexOf(0xff, at + 1);
  return (next === -1 ? bytes.length : next) - at;
}
