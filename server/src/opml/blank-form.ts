import type { ByteText } from './byte-text.ts';
import type { Chunks } from './compile.ts';

/**
 * A compiled document laid out for suffixes of one length, with blanks where they go. The radios of one kind send serials
 * of one length, so the next caller's answer is one copy of it with the blanks filled in, where putting the parts
 * together copies every byte three times.
 */
export interface BlankForm {
  readonly suffixLength: number;
  readonly bytes: Buffer;
  /** Where the blanks begin. */
  readonly blanks: Int32Array;
}

const BLANK = ' ';

export function blankForm({ parts, byteLength }: Chunks, suffixLength: number): BlankForm {
  const blanks = new Int32Array(parts.length - 1);
  const bytes = Buffer.alloc(byteLength + blanks.length * suffixLength, BLANK);
  let at = 0;
  for (const [index, part] of parts.entries()) {
    at += bytes.write(part, at, 'latin1');
    if (index === blanks.length) break;
    blanks[index] = at;
    at += suffixLength;
  }
  return { suffixLength, bytes, blanks };
}

/** Writes the form, filled in, into room of its length. */
export function fillForm({ bytes, blanks, suffixLength }: BlankForm, suffix: ByteText, room: Buffer): void {
  room.set(bytes);
  if (suffixLength < WORD_BYTES) return fillShort(blanks, suffix, room);
  const words = wordsOf(suffix);
  const last = words.length - 1;
  const view = new DataView(room.buffer, room.byteOffset, room.length);
  for (const blank of blanks) {
    for (let word = 0; word < last; word += 1) view.setInt32(blank + word * WORD_BYTES, words[word]!, true);
    view.setInt32(blank + suffixLength - WORD_BYTES, words[last]!, true);
  }
}

const WORD_BYTES = 4;

/**
 * The suffix in words, the last of which ends with it and may say again what the one before said. Storing words is done
 * in line, where every other way to copy a few bytes is a call.
 */
function wordsOf(suffix: ByteText): Int32Array {
  const bytes = Buffer.from(suffix, 'latin1');
  const words = new Int32Array(Math.ceil(bytes.length / WORD_BYTES));
  for (let word = 0; word < words.length; word += 1)
    words[word] = bytes.readInt32LE(Math.min(word * WORD_BYTES, bytes.length - WORD_BYTES));
  return words;
}

function fillShort(blanks: Int32Array, suffix: ByteText, room: Buffer): void {
  for (const blank of blanks) room.write(suffix, blank, 'latin1');
}
