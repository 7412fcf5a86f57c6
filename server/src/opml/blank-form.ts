import type { ByteText } from './byte-text.ts';
import type { Chunks } from './compile.ts';
import { Insertion } from './insertion.ts';
import { viewOf } from './view-of.ts';

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
export function fillForm({ bytes, blanks }: BlankForm, suffix: ByteText, room: Buffer): void {
  room.set(bytes);
  insertion.set(suffix);
  insertion.putAll(viewOf(room), room.byteOffset, blanks);
}

const insertion = new Insertion();
