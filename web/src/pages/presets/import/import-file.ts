import type { ImportFormat } from './import-calls.ts';

/** The limit of one call, with room for JSON's escapes of quotes and line ends. */
export const MAX_BYTES = 48 * 1024;

const ENDINGS = new Map<string, ImportFormat>([
  ['opml', 'opml'],
  ['m3u', 'm3u'],
  ['m3u8', 'm3u'],
  ['pls', 'pls'],
  ['csv', 'csv'],
  ['json', 'json'],
]);

/** The format by the file's extension; undefined lets the server detect it. */
export const formatOf = (fileName: string): ImportFormat | undefined =>
  ENDINGS.get(fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase());

/** The encoded text must fit into one call. */
export const isTooLong = (text: string): boolean =>
  new TextEncoder().encode(JSON.stringify(text)).length > MAX_BYTES;

const UTF8 = new TextDecoder('utf-8', { fatal: true });
const LATIN = new TextDecoder('windows-1252');

/** Old players wrote lists in local encodings; anything that is not UTF-8 is taken for Windows-1252. */
export function textOf(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    return LATIN.decode(bytes);
  }
}
