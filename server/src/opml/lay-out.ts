import type { ByteText } from './byte-text.ts';
import { Insertion } from './insertion.ts';
import type { Room } from './line-slab.ts';
import type { Part, PlacedLines } from './parts.ts';

/** Gives room for so many bytes. */
export type TakeRoom = (length: number) => Buffer;

/** The parts for one caller, as bytes: lines go from where they are kept straight to where they are sent from. */
export function layOut(parts: readonly Part[], suffix: ByteText, takeRoom: TakeRoom): Buffer {
  const filled = fillHoles(parts, suffix);
  const room = takeRoom(filled.reduce((sum, part) => sum + lengthOf(part, suffix), 0));
  const copier = new LineCopier(suffix, room);
  let at = 0;
  for (const part of filled)
    at = typeof part === 'string' ? at + room.write(part, at, 'latin1') : copier.copy(part, at);
  return room;
}

/** The holes between texts; those of the lines are filled while they are copied. */
function fillHoles(parts: readonly Part[], suffix: ByteText): Part[] {
  const filled: Part[] = [];
  let open: ByteText | undefined;
  for (const part of parts) {
    if (typeof part === 'string') open = open === undefined ? part : open + suffix + part;
    else {
      if (open) filled.push(open);
      filled.push(part);
      open = undefined;
    }
  }
  if (open) filled.push(open);
  return filled;
}

function lengthOf(part: Part, suffix: ByteText): number {
  if (typeof part === 'string') return part.length;
  const { slab, lines, separator, behindHole } = part;
  let length = lines.length * (suffix.length + behindHole.length) + (lines.length - 1) * separator.length;
  for (const line of lines) length += slab.lengthOf(line);
  return length;
}

const COMMA = ','.charCodeAt(0);

/** Copies lines into a room. What it needs for that is made for the first of them: a page has many that lie apart. */
class LineCopier {
  readonly #suffix: ByteText;
  readonly #bytes: Buffer;
  #room: Room | undefined;
  #insertion: Insertion | undefined;
  #inserted: ByteText | undefined;

  constructor(suffix: ByteText, bytes: Buffer) {
    this.#suffix = suffix;
    this.#bytes = bytes;
  }

  /** Where they end. */
  copy({ slab, lines, separator, behindHole }: PlacedLines, start: number): number {
    const insertion = this.#insertionOf(this.#suffix + behindHole);
    const bytes = this.#bytes;
    const room = (this.#room ??= { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length) });
    let at = start;
    for (const line of lines) {
      if (separator !== '' && at > start) bytes[at++] = COMMA;
      at = slab.copyTo(line, insertion, room, at);
    }
    return at;
  }

  #insertionOf(text: ByteText): Insertion {
    if (!this.#insertion || this.#inserted !== text) {
      this.#inserted = text;
      this.#insertion = new Insertion(text);
    }
    return this.#insertion;
  }
}

/** Memory of its own. */
export const ownRoom: TakeRoom = (length) => Buffer.allocUnsafeSlow(length);
