import type { ImportFormat } from '../../session/import-calls.ts';

/** What one call takes, with room for how JSON writes quotes and line ends. */
export const MOST_BYTES = 48 * 1024;

const ENDINGS = new Map<string, ImportFormat>([
  ['opml', 'opml'],
  ['xml', 'opml'],
  ['m3u', 'm3u'],
  ['m3u8', 'm3u'],
  ['pls', 'pls'],
  ['csv', 'csv'],
]);

/** The format that a file's name speaks of; undefined lets the server look at the text. */
export const formatOf = (fileName: string): ImportFormat | undefined =>
  ENDINGS.get(fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase());

/** A text as it is sent has to fit into one call. */
export const isTooLong = (text: string): boolean =>
  new TextEncoder().encode(JSON.stringify(text)).length > MOST_BYTES;

const UTF8 = new TextDecoder('utf-8', { fatal: true });
const LATIN = new TextDecoder('windows-1252');

/** Old players wrote their lists in the alphabet of their country; what is no UTF-8 is taken for the Western one. */
export function textOf(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    return LATIN.decode(bytes);
  }
}
