import type { ByteText } from './byte-text.ts';
import { Insertion } from './insertion.ts';
import type { Room } from './line-slab.ts';
import type { Part, PlacedLines } from './parts.ts';
import { viewOf } from './view-of.ts';

/** Gives room for so many bytes. */
export type TakeRoom = (length: number) => Buffer;

/** The parts for one caller, as bytes: lines go from where they are kept straight to where they are sent from. */
export function layOut(parts: readonly Part[], suffix: ByteText, takeRoom: TakeRoom): Buffer {
  const filled = fillHoles(parts, suffix);
  const room = takeRoom(filled.reduce((sum, part) => sum + lengthOf(part, suffix), 0));
  const place: Room = { bytes: room, view: viewOf(room), start: room.byteOffset };
  let at = 0;
  for (const part of filled)
    at = typeof part === 'string' ? at + room.write(part, at, 'latin1') : copyLines(part, suffix, place, at);
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

const insertion = new Insertion();

/** Where they end. */
function copyLines(
  { slab, lines, separator, behindHole }: PlacedLines,
  suffix: ByteText,
  room: Room,
  start: number,
): number {
  insertion.set(behindHole === '' ? suffix : suffix + behindHole);
  let at = start;
  for (const line of lines) {
    if (separator !== '' && at > start) room.bytes[at++] = COMMA;
    at = slab.copyTo(line, insertion, room, at);
  }
  return at;
}

/** Memory of its own. */
export const ownRoom: TakeRoom = (length) => Buffer.allocUnsafeSlow(length);
