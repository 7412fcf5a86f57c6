import { type ByteText, byteText, flat, viewOf } from './byte-text.ts';
import type { OpmlDocument } from './document.ts';
import { insertion, Layout } from './layout.ts';
import type { Room } from './line-slab.ts';
import { type Part, type PlacedLines, textsOf } from './parts.ts';
import { jsonBytes, jsonParts } from './write-json.ts';
import { xmlBytes, xmlParts } from './write-xml.ts';

type NotationName = 'xml' | 'json';

/** A document for any caller of one host: its bytes with holes where the caller's suffix goes. */
export interface Composed {
  notation: NotationName;
  parts: readonly Part[];
}

/** The same for caching, cut at every link. */
export interface Chunks {
  notation: NotationName;
  parts: readonly ByteText[];
  byteLength: number;
}

export const compose = (notation: NotationName, document: OpmlDocument, origin: string): Composed => ({
  notation,
  parts: (notation === 'xml' ? xmlParts : jsonParts)(document, origin),
});

/** JSON as a call of a script's function, whose name comes from `parseCallback`. */
export function wrapInCallback({ notation, parts }: Composed, callback: string): Composed {
  const opened = parts.with(0, `${callback}(${textOf(parts.at(0))}`);
  return { notation, parts: opened.with(parts.length - 1, `${textOf(opened.at(-1))});`) };
}

/** The first and the last part of a document are texts. */
const textOf = (part: Part | undefined): ByteText => (typeof part === 'string' ? part : '');

/** A concatenated text costs twice as much each time it is copied, so these are flattened. */
export function chunksOf({ notation, parts }: Composed): Chunks {
  const texts = textsOf(parts).map(flat);
  return { notation, parts: texts, byteLength: texts.reduce((sum, { length }) => sum + length, 0) };
}

/** The document for one caller; the suffix comes from `suffixOf`. */
export const fillIn = ({ notation, parts }: Composed, suffix: string, takeRoom: TakeRoom): Buffer =>
  layOut(parts, suffixBytes(notation, suffix), takeRoom);

/** Of the characters that a notation escapes, it contains only `&`, like every suffix of `suffixOf`. */
const PERCENT_ENCODED = /^[\w&=%.~!*(),:{}-]*$/;

/** A suffix escaped for a document, flattened, since it is inserted at every link. */
export function suffixBytes(notation: NotationName, suffix: string): ByteText {
  if (!PERCENT_ENCODED.test(suffix)) return flat(notation === 'xml' ? xmlBytes(suffix) : jsonBytes(suffix));
  return notation === 'xml' ? suffix.replace(/&/g, '&amp;') : flat(suffix);
}

/** Provides a buffer of this many bytes. */
export type TakeRoom = (length: number) => Buffer;

/** The parts for one caller, as bytes: lines are copied from the cache straight into the send buffer. */
function layOut(parts: readonly Part[], suffix: ByteText, takeRoom: TakeRoom): Buffer {
  const filled = fillHoles(parts, suffix);
  const room = takeRoom(filled.reduce((sum, part) => sum + lengthOf(part, suffix), 0));
  const place: Room = { bytes: room, view: viewOf(room), start: room.byteOffset };
  let at = 0;
  for (const part of filled) {
    if (typeof part === 'string') at += room.write(part, at, 'latin1');
    else if (part instanceof Layout) at = part.copyTo(suffix, place, at);
    else at = copyLines(part, suffix, place, at);
  }
  return room;
}

/** Fills the holes between texts; those of lines and of layouts are filled while they are copied. */
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
  if (part instanceof Layout) return part.lengthWith(suffix);
  const { slab, lines, separator, behindHole } = part;
  let length = lines.length * (suffix.length + behindHole.length) + (lines.length - 1) * separator.length;
  for (const line of lines) length += slab.lengthOf(line);
  return length;
}

const COMMA = ','.charCodeAt(0);

/** Returns where they end. */
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

/** A newly allocated buffer. */
export const ownRoom: TakeRoom = (length) => Buffer.allocUnsafeSlow(length);

/** The guide IDs of an account's presets. */
export type SavedIds = ReadonlySet<string>;

// On a line that is not marked yet, `preset_id` is the last attribute.
const XML_LINE = / preset_id="([sp]\d+)"(?=\/?>)/g;
const JSON_LINE = /"preset_id":"([sp]\d+)"(?=\})/g;
const XML_MARK = byteText(' is_preset="true"');
const JSON_MARK = byteText(',"is_preset":"true"');

/**
 * Marks the items of a list that the account has saved. Works on the finished bytes, so that one menu can be cached
 * for all callers; the insertion is ASCII, so that every byte may be treated as a character.
 */
export function markSaved(
  body: Buffer | ByteText,
  notation: 'xml' | 'json',
  saved: SavedIds,
): Buffer | ByteText {
  const text = typeof body === 'string' ? body : body.toString('latin1');
  const [line, mark] = notation === 'xml' ? [XML_LINE, XML_MARK] : [JSON_LINE, JSON_MARK];
  const marked = text.replaceAll(line, (whole, id: string) => (saved.has(id) ? whole + mark : whole));
  return marked.length === text.length ? body : Buffer.from(marked, 'latin1');
}
