import { type ByteText, Insertion } from './byte-text.ts';
import type { Room } from './line-slab.ts';

/**
 * Texts laid out for suffixes of one length, with blanks where they go. Radios of one model send serials of one length, so
 * that the next caller's answer is one copy with the blanks filled in, where joining the parts copies every byte three times.
 */
interface BlankForm {
  readonly suffixLength: number;
  readonly bytes: Buffer;
  /** The offsets of the blanks. */
  readonly blanks: Int32Array;
}

const BLANK = ' ';

/** A longer suffix gets no form, or a caller could inflate each text far beyond its counted size. */
export const MAX_BLANK_BYTES = 200;

export const insertion = new Insertion();

function blankForm(texts: readonly ByteText[], byteLength: number, suffixLength: number): BlankForm {
  const blanks = new Int32Array(texts.length - 1);
  const bytes = Buffer.alloc(byteLength + blanks.length * suffixLength, BLANK);
  let at = 0;
  for (const [index, text] of texts.entries()) {
    at += bytes.write(text, at, 'latin1');
    if (index === blanks.length) break;
    blanks[index] = at;
    at += suffixLength;
  }
  return { suffixLength, bytes, blanks };
}

/**
 * Texts with a hole between each two, and their form for the suffix length requested last. A length that comes twice in a row
 * replaces the form: one for each, so its size is bounded. When different radios alternate, the texts are concatenated, which
 * is cheaper than a new form.
 */
export class Layout {
  readonly texts: readonly ByteText[];
  readonly byteLength: number;
  #form: BlankForm | undefined;
  #lastLength: number | undefined;

  constructor(texts: readonly ByteText[]) {
    this.texts = texts;
    this.byteLength = texts.reduce((sum, { length }) => sum + length, 0);
  }

  /** Of the whole, with a suffix as `suffixBytes` writes it. */
  lengthWith(suffix: ByteText): number {
    return this.byteLength + (this.texts.length - 1) * suffix.length;
  }

  /** Returns where it ends. */
  copyTo(suffix: ByteText, room: Room, at: number): number {
    const form = this.#formFor(suffix.length);
    if (!form) return at + room.bytes.write(this.texts.join(suffix), at, 'latin1');
    room.bytes.set(form.bytes, at);
    insertion.set(suffix);
    insertion.putAll(room.view, room.start + at, form.blanks);
    return at + form.bytes.length;
  }

  #formFor(suffixLength: number): BlankForm | undefined {
    const isAgain = this.#lastLength === suffixLength;
    this.#lastLength = suffixLength;
    if (this.#form?.suffixLength === suffixLength) return this.#form;
    if (!isAgain || suffixLength > MAX_BLANK_BYTES) return undefined;
    return (this.#form = blankForm(this.texts, this.byteLength, suffixLength));
  }
}
