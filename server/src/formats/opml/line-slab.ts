import { type ByteText, type Insertion, IS_LITTLE_ENDIAN, WORD_BYTES } from './byte-text.ts';

const PIECE_BYTES = 256 * 1024;
/** Per line: its piece, its offset there, and its lengths before and after the hole. */
const FIELDS = 4;
const BEFORE = 2;
const BEHIND = 3;

/** Memory for many lines, each aligned to a word. */
interface Piece {
  readonly bytes: Buffer;
  readonly words: BigInt64Array;
}

/** The buffer in which an answer is built. */
export interface Room {
  readonly bytes: Buffer;
  /** Of the memory that the bytes lie in, and where they begin there. */
  readonly view: DataView;
  readonly start: number;
}

/** Rounded up. */
const inWords = (bytes: number): number => Math.ceil(bytes / WORD_BYTES) * WORD_BYTES;

/**
 * Lines that were written once, as bytes side by side, each with one hole for a caller's parameters. A page is copied
 * from here by number: as objects, a line not shown lately would take nine memory accesses to find.
 */
export class LineSlab {
  readonly #index: Int32Array;
  readonly #pieces: Piece[] = [];
  readonly #grows: (bytes: number) => void;
  #used = 0;

  /** `grows` is called with all memory that it allocates. */
  constructor(lines: number, grows: (bytes: number) => void) {
    this.#index = new Int32Array(lines * FIELDS);
    this.#grows = grows;
    grows(this.#index.byteLength);
  }

  has(line: number): boolean {
    return this.#index[line * FIELDS + BEFORE] !== 0;
  }

  add(line: number, before: ByteText, behind: ByteText): void {
    const { bytes } = this.#pieceWithRoom(before.length + behind.length);
    const start = this.#used;
    bytes.write(before, start, 'latin1');
    bytes.write(behind, start + before.length, 'latin1');
    this.#index.set([this.#pieces.length - 1, start, before.length, behind.length], line * FIELDS);
    this.#used = inWords(start + before.length + behind.length);
  }

  #pieceWithRoom(length: number): Piece {
    const last = this.#pieces.at(-1);
    if (last && this.#used + length <= last.bytes.length) return last;
    const bytes = Buffer.allocUnsafeSlow(Math.max(PIECE_BYTES, inWords(length)));
    const piece = { bytes, words: new BigInt64Array(bytes.buffer) };
    this.#pieces.push(piece);
    this.#grows(bytes.length);
    this.#used = 0;
    return piece;
  }

  lengthOf(line: number): number {
    const at = line * FIELDS;
    return this.#index[at + BEFORE]! + this.#index[at + BEHIND]!;
  }

  before(line: number): ByteText {
    const [piece, start, before] = this.#placeOf(line);
    return piece.toString('latin1', start, start + before);
  }

  behind(line: number): ByteText {
    const [piece, start, before, behind] = this.#placeOf(line);
    return piece.toString('latin1', start + before, start + before + behind);
  }

  #placeOf(line: number): [piece: Buffer, start: number, before: number, behind: number] {
    const [piece = 0, start = 0, before = 0, behind = 0] = this.#index.subarray(line * FIELDS);
    return [this.#pieces[piece]!.bytes, start, before, behind];
  }

  /**
   * Copies a line with its hole filled; returns where it ends. Every copy call costs more than the bytes it moves, so
   * the whole line is copied in one call to where its end belongs, and its beginning is then stored word by word.
   */
  copyTo(line: number, insertion: Insertion, room: Room, at: number): number {
    const entry = line * FIELDS;
    const piece = this.#pieces[this.#index[entry]!]!;
    const start = this.#index[entry + 1]!;
    const before = this.#index[entry + BEFORE]!;
    const end = start + before + this.#index[entry + BEHIND]!;
    piece.bytes.copy(room.bytes, at + insertion.length, start, end);
    if (insertion.length < WORD_BYTES) piece.bytes.copy(room.bytes, at, start, start + before);
    else copyWords(piece.words, start / WORD_BYTES, before, room.view, room.start + at);
    insertion.put(room.view, room.start + at + before);
    return at + end - start + insertion.length;
  }
}

/** Up to seven bytes more than requested, which the insertion overwrites. */
function copyWords(words: BigInt64Array, from: number, bytes: number, view: DataView, at: number): void {
  for (let done = 0; done < bytes; done += WORD_BYTES)
    view.setBigInt64(at + done, words[from + done / WORD_BYTES]!, IS_LITTLE_ENDIAN);
}

/** Two kinds of line of a large directory, for two hosts. */
const MAX_BYTES = 96 * 1024 * 1024;

/** The slabs of one owner: by kind of line, notation and host. */
export class LineShelf {
  readonly #slabs = new Map<string, LineSlab>();
  readonly #most: number;
  #bytes = 0;

  constructor(most = MAX_BYTES) {
    this.#most = most;
  }

  /** Starts over when it is full, so that made-up hosts cost no memory. */
  slab(key: string, lines: number): LineSlab {
    if (this.#bytes >= this.#most) {
      this.#slabs.clear();
      this.#bytes = 0;
    }
    const known = this.#slabs.get(key);
    if (known) return known;
    const slab = new LineSlab(lines, (bytes) => (this.#bytes += bytes));
    this.#slabs.set(key, slab);
    return slab;
  }
}

const shelves = new WeakMap<object, LineShelf>();

/** Collected with its owner, such as a snapshot of the directory. */
export function shelfOf(owner: object): LineShelf {
  let shelf = shelves.get(owner);
  if (!shelf) shelves.set(owner, (shelf = new LineShelf()));
  return shelf;
}
