import { endianness } from 'node:os';
import type { ByteText } from './byte-text.ts';

export const WORD_BYTES = 8;
/** Words are stored as they were read. */
export const IS_LITTLE_ENDIAN = endianness() === 'LE';

/** More than a suffix with what follows it usually has; a longer one makes it grow. */
const USUAL_BYTES = 1024;

/**
 * A short text that is put into many places of a document. Storing whole words is done in line, where every other way to
 * copy a few bytes is a call; the last word ends with the text and may say again what the one before said. One instance
 * serves one text after the other: making a typed array costs as much as putting a text in thirty times.
 */
export class Insertion {
  #text: ByteText = '';
  /** The text from the start on, and in the last word its end. */
  #words = new BigInt64Array(USUAL_BYTES / WORD_BYTES + 1);
  #bytes = Buffer.from(this.#words.buffer);
  /** How many words come before the last. */
  #before = 0;

  get length(): number {
    return this.#text.length;
  }

  /** From now on it is this text that is put. */
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

  /** Puts it into the memory that the view is of. */
  put(view: DataView, at: number): void {
    const { length } = this.#text;
    if (length < WORD_BYTES) return this.#putShort(view, at);
    const words = this.#words;
    const before = this.#before;
    for (let word = 0; word < before; word += 1)
      view.setBigInt64(at + word * WORD_BYTES, words[word]!, IS_LITTLE_ENDIAN);
    view.setBigInt64(at + length - WORD_BYTES, words[words.length - 1]!, IS_LITTLE_ENDIAN);
  }

  /** The same for many places, counted from `start`; a loop of its own, which a menu's seventy links make worth it. */
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
