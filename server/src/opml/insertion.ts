import type { ByteText } from './byte-text.ts';

export const WORD_BYTES = 4;

/**
 * A short text that is put into many places of a document. Storing whole words is done in line, where every other way to
 * copy a few bytes is a call; the last word ends with the text and may say again what the one before said.
 */
export class Insertion {
  readonly length: number;
  readonly #text: ByteText;
  readonly #words: Int32Array;

  constructor(text: ByteText) {
    this.#text = text;
    this.length = text.length;
    this.#words = new Int32Array(Math.ceil(text.length / WORD_BYTES));
    if (text.length < WORD_BYTES) return;
    const lastStart = text.length - WORD_BYTES;
    for (let word = 0; word < this.#words.length; word += 1)
      this.#words[word] = wordAt(text, Math.min(word * WORD_BYTES, lastStart));
  }

  /** Puts it into the room that the view is of. */
  put(view: DataView, at: number): void {
    if (this.length < WORD_BYTES) return this.#putShort(view, at);
    const words = this.#words;
    const last = words.length - 1;
    for (let word = 0; word < last; word += 1) view.setInt32(at + word * WORD_BYTES, words[word]!, true);
    view.setInt32(at + this.length - WORD_BYTES, words[last]!, true);
  }

  /** The same for many places; a loop of its own, which a menu's seventy links make worth it. */
  putAll(view: DataView, places: Int32Array): void {
    if (this.length < WORD_BYTES) {
      for (const at of places) this.#putShort(view, at);
      return;
    }
    const words = this.#words;
    const last = words.length - 1;
    const lastAt = this.length - WORD_BYTES;
    for (let place = 0; place < places.length; place += 1) {
      const at = places[place]!;
      for (let word = 0; word < last; word += 1) view.setInt32(at + word * WORD_BYTES, words[word]!, true);
      view.setInt32(at + lastAt, words[last]!, true);
    }
  }

  #putShort(view: DataView, at: number): void {
    for (let byte = 0; byte < this.length; byte += 1) view.setUint8(at + byte, this.#text.charCodeAt(byte));
  }
}

/** Four characters, the first in the lowest byte. */
const wordAt = (text: ByteText, at: number): number =>
  text.charCodeAt(at) |
  (text.charCodeAt(at + 1) << 8) |
  (text.charCodeAt(at + 2) << 16) |
  (text.charCodeAt(at + 3) << 24);
