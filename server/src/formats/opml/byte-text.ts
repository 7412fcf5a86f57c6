import { endianness } from 'node:os';

/**
 * UTF-8 as a string with one character per byte. V8 stores such a string in one byte per character and concatenates
 * strings without copying, and Node sends it unchanged (`latin1`), so a menu is built from cached lines without
 * encoding its text again.
 */
export type ByteText = string;

const BEYOND_ASCII = /[^\0-\x7f]/;

export const byteText = (text: string): ByteText =>
  BEYOND_ASCII.test(text) ? Buffer.from(text).toString('latin1') : text;

export const bytesOf = (text: ByteText): Buffer => Buffer.from(text, 'latin1');

export const textOf = (text: ByteText): string => bytesOf(text).toString();

/** V8 keeps a concatenated string as its pieces, at twice the cost of copying it, until it is flattened. */
export const flat = (text: ByteText): ByteText => bytesOf(text).toString('latin1');

let lastView: DataView = new DataView(new ArrayBuffer(0));

/**
 * A view of the whole memory that the bytes lie in, cached because answers are built in the same memory again and
 * again.
 */
export function viewOf({ buffer }: Buffer): DataView {
  if (lastView.buffer !== buffer) lastView = new DataView(buffer);
  return lastView;
}

export const WORD_BYTES = 8;
/** Words are stored as they were read. */
export const IS_LITTLE_ENDIAN = endianness() === 'LE';

/** More than a usual suffix with what follows it; a longer one makes it grow. */
const USUAL_BYTES = 1024;

/**
 * A short text that is inserted into many places of a document. Storing whole words is inlined, where every other way
 * to copy a few bytes is a call; the last word ends with the text and may overlap the one before. One instance is
 * reused for many texts: creating a typed array costs as much as inserting a text thirty times.
 */
export class Insertion {
  #text: ByteText = '';
  /** The text from its start, and in the last word its end. */
  #words = new BigInt64Array(USUAL_BYTES / WORD_BYTES + 1);
  #bytes = Buffer.from(this.#words.buffer);
  /** How many words come before the last. */
  #before = 0;

  get length(): number {
    return this.#text.length;
  }

  /** Replaces the text to insert. */
  set(text: ByteText): void {
    if (text === this.#text) return;
    this.#text = text;
    const { length } = text;
    if (length > this.#bytes.length - WORD_BYTES) this.#grow(length);
    this.#bytes.write(text, 0, 'latin1');
    if (length < WORD_BYTES) return;
    this.#before = Math.ceil(length / WORD_BYTES) - 1;
    this.#bytes.copyWithin(this.#bytes.length - WORD_BYTES, length - WORD_BYTES, length);
  }

  #grow(length: number): void {
    this.#words = new BigInt64Array(Math.ceil(length / WORD_BYTES) + 1);
    this.#bytes = Buffer.from(this.#words.buffer);
  }

  /** Inserts it into the view's memory. */
  put(view: DataView, at: number): void {
    const { length } = this.#text;
    if (length < WORD_BYTES) return this.#putShort(view, at);
    const words = this.#words;
    const before = this.#before;
    for (let word = 0; word < before; word += 1)
      view.setBigInt64(at + word * WORD_BYTES, words[word]!, IS_LITTLE_ENDIAN);
    view.setBigInt64(at + length - WORD_BYTES, words[words.length - 1]!, IS_LITTLE_ENDIAN);
  }

  /** The same for many positions, counted from `start`; a loop of its own, worth it for a menu's seventy links. */
  putAll(view: DataView, start: number, places: Int32Array): void {
    const { length } = this.#text;
    if (length < WORD_BYTES) {
      for (const place of places) this.#putShort(view, start + place);
      return;
    }
    const words = this.#words;
    const before = this.#before;
    const last = words.length - 1;
    const lastAt = length - WORD_BYTES;
    for (let place = 0; place < places.length; place += 1) {
      const at = start + places[place]!;
      for (let word = 0; word < before; word += 1)
        view.setBigInt64(at + word * WORD_BYTES, words[word]!, IS_LITTLE_ENDIAN);
      view.setBigInt64(at + lastAt, words[last]!, IS_LITTLE_ENDIAN);
    }
  }

  #putShort(view: DataView, at: number): void {
    for (let byte = 0; byte < this.#text.length; byte += 1) view.setUint8(at + byte, this.#bytes[byte]!);
  }
}
