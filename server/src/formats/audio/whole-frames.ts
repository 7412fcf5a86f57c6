import { isContainer } from './containers.ts';
import { type Frame, findStart, readAdtsFrame, readMpegFrame } from './frames.ts';
import { FRAME_HEADER_BYTES } from './silent-frame.ts';

/** The largest header; with fewer bytes nobody can tell whether a frame begins. */
const HEADER_BYTES = 8;
/** The first look for frames; each further one has twice as much to look at. */
const FIRST_LOOK = 2048;
/** Without three frames in so much, it is no MP3 and no AAC. */
const MAX_LOOKED_AT = 16 * 1024;
const READERS = [readMpegFrame, readAdtsFrame];
/** About a quarter of a second, of 128 kbit/s and of 512. */
const MIN_BLOCK = 6 * 1024;
const MAX_BLOCK = 16 * 1024;
const NOTHING = Buffer.alloc(0);

type ReadFrame = (bytes: Buffer, at: number) => Frame | undefined;

/**
 * Collects a stream of MP3 or AAC, and cuts it between frames and nowhere else: where one connection ends and the next begins, a
 * decoder finds a whole frame on both sides. Every byte from the first frame on is passed through, also what is no frame.
 * Other formats pass unchanged: Ogg, FLAC and others at once, since they say what they are, and what says nothing after a look
 * at its first bytes.
 */
export class WholeFrames {
  #read: ReadFrame | undefined;
  #isOther = false;
  /** What was pushed and not taken yet, in memory of its own: a packet costs a copy and nothing else. */
  #block = NOTHING;
  #filled = 0;
  /** With fewer bytes there is nothing to take: a stream that comes byte by byte is not searched as often. */
  #enough = FIRST_LOOK;
  /** Of the last frame that was taken. */
  lastHeader: Buffer | undefined;
  /** Whether there was a frame in what was taken last; of other formats nobody knows, and it counts as one. */
  hadFrame = false;

  /** How many bytes are kept. */
  get length(): number {
    return this.#filled;
  }

  push(piece: Buffer): void {
    const filled = this.#filled + piece.length;
    if (filled > this.#block.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(2 * this.#block.length, filled, MIN_BLOCK));
      this.#block.copy(larger, 0, 0, this.#filled);
      this.#block = larger;
    }
    piece.copy(this.#block, this.#filled);
    this.#filled = filled;
  }

  /** The whole frames among it; what is cut off comes with the next ones. */
  take(): Buffer {
    if (!this.#isOther && this.#filled < this.#enough) return NOTHING;
    const bytes = this.#block.subarray(0, this.#filled);
    const start = this.#read || this.#isOther ? 0 : this.#begin(bytes);
    if (start === undefined && !this.#isOther) return NOTHING;
    const end = this.#isOther ? bytes.length : this.#endOfFrames(bytes, start ?? 0);
    if (this.#isOther) this.hadFrame = end > 0;
    const taken = Buffer.allocUnsafe(end - (start ?? 0));
    bytes.copy(taken, 0, start, end);
    this.#drop(end);
    return taken;
  }

  /** Another connection follows: what was not taken is dropped, and it begins with a whole frame. */
  seam(): void {
    this.#filled = 0;
    this.#enough = FIRST_LOOK;
    this.#read = undefined;
    this.#isOther = false;
  }

  /** A burst at the start needs more memory than what follows. */
  #drop(bytes: number): void {
    this.#block.copyWithin(0, bytes, this.#filled);
    this.#filled -= bytes;
    if (this.#block.length > MAX_BLOCK) this.#block = Buffer.from(this.#block.subarray(0, this.#filled));
  }

  /** These are the first bytes of a connection: what is cut out of the middle of MP3 does not begin as a container does. */
  #begin(bytes: Buffer): number | undefined {
    if (isContainer(bytes)) {
      this.#isOther = true;
      return undefined;
    }
    for (const read of READERS) {
      const start = findStart(bytes, read);
      if (start === undefined) continue;
      this.#read = read;
      return start;
    }
    this.#enough = Math.min(2 * bytes.length, MAX_LOOKED_AT + 1);
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
    this.hadFrame = last !== -1;
    if (last !== -1) this.lastHeader = Buffer.from(bytes.subarray(last, last + FRAME_HEADER_BYTES));
    return at;
  }
}

/** How many bytes there are until something may begin again: tags and damaged frames lie between frames. */
function skipTo(bytes: Buffer, at: number): number {
  const next = bytes.indexOf(0xff, at + 1);
  return (next === -1 ? bytes.length : next) - at;
}
