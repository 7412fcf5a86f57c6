import { type ByteText, flat } from './byte-text.ts';
import type { OpmlDocument } from './document.ts';
import { type TakeRoom, layOut } from './lay-out.ts';
import type { Part } from './parts.ts';
import { textsOf } from './texts-of.ts';
import { jsonBytes, jsonParts } from './write-json.ts';
import { xmlBytes, xmlParts } from './write-xml.ts';

type NotationName = 'xml' | 'json';

/** A document ready for any caller of one host: its bytes with holes where the caller's suffix goes. */
export interface Composed {
  notation: NotationName;
  parts: readonly Part[];
}

/** The same for keeping, as often cut as there are links. */
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

/** The first part and the last of a document are texts. */
const textOf = (part: Part | undefined): ByteText => (typeof part === 'string' ? part : '');

/** A text that was put together costs twice as much each time it is copied, so these are made anew. */
export function chunksOf({ notation, parts }: Composed): Chunks {
  const texts = textsOf(parts).map(flat);
  return { notation, parts: texts, byteLength: texts.reduce((sum, { length }) => sum + length, 0) };
}

/** A document for one caller; the suffix comes from `suffixOf`. */
export const fillIn = ({ notation, parts }: Composed, suffix: string, takeRoom: TakeRoom): Buffer =>
  layOut(parts, suffixBytes(notation, suffix), takeRoom);

/** Of all that a notation escapes it has only the `&`, as every suffix of `suffixOf`. */
const PERCENT_ENCODED = /^[\w&=%.~!*(),:{}-]*$/;

/** A suffix as it stands in a document, in one piece, since it becomes part of a text as often as there are links. */
export function suffixBytes(notation: NotationName, suffix: string): ByteText {
  if (!PERCENT_ENCODED.test(suffix)) return flat(notation === 'xml' ? xmlBytes(suffix) : jsonBytes(suffix));
  return notation === 'xml' ? suffix.replace(/&/g, '&amp;') : flat(suffix);
}
