import { type ByteText, flat } from './byte-text.ts';
import type { OpmlDocument } from './document.ts';
import { jsonBytes, jsonParts } from './write-json.ts';
import { xmlBytes, xmlParts } from './write-xml.ts';

/** A document ready for any caller of one host: the bytes between which the caller's suffix goes, as often as there are links. */
export interface Chunks {
  notation: 'xml' | 'json';
  parts: readonly ByteText[];
  byteLength: number;
}

export const compileXml = (document: OpmlDocument, origin: string): Chunks =>
  chunksOf('xml', xmlParts(document, origin));

export const compileJson = (document: OpmlDocument, origin: string): Chunks =>
  chunksOf('json', jsonParts(document, origin));

/** The compiled JSON as a call of a script's function, whose name comes from `parseCallback`. */
export function wrapInCallback({ notation, parts }: Chunks, callback: string): Chunks {
  const opened = parts.with(0, `${callback}(${parts[0]}`);
  return chunksOf(notation, opened.with(opened.length - 1, `${opened.at(-1)});`));
}

/** For keeping: a text that was put together costs twice as much each time it is copied. */
export const flattened = (chunks: Chunks): Chunks => ({ ...chunks, parts: chunks.parts.map(flat) });

/** A compiled document for one caller; the suffix comes from `suffixOf`. Put together only, copied when it is sent. */
export function splice({ notation, parts }: Chunks, suffix: string): ByteText {
  const inserted = suffixBytes(notation, suffix);
  let spliced = parts[0]!;
  for (let hole = 1; hole < parts.length; hole += 1) spliced += inserted + parts[hole]!;
  return spliced;
}

/** A suffix as it stands in a document; flat, since it is copied as often as there are links. */
export const suffixBytes = (notation: Chunks['notation'], suffix: string): ByteText =>
  flat(notation === 'xml' ? xmlBytes(suffix) : jsonBytes(suffix));

const chunksOf = (notation: Chunks['notation'], parts: readonly ByteText[]): Chunks => ({
  notation,
  parts,
  byteLength: parts.reduce((sum, { length }) => sum + length, 0),
});
