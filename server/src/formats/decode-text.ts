import { isAscii, isUtf8 } from 'node:buffer';

// A decoder takes longer to create than a line takes to decode.
const UTF_8 = new TextDecoder();
const WINDOWS_1252 = new TextDecoder('windows-1252');

/**
 * Bytes as text: by their byte order mark, else UTF-8, else Windows-1252, the superset of Latin-1 that old playlist
 * editors write. Every byte is valid in Windows-1252, so that this never fails.
 */
export function decodeText(bytes: Uint8Array): string {
  if (isAscii(bytes)) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const marked = encodingByMark(bytes);
  if (marked) return new TextDecoder(marked).decode(bytes);
  return isUtf8(bytes) ? UTF_8.decode(bytes) : WINDOWS_1252.decode(withoutUtf8Mark(bytes));
}

/**
 * A UTF-8 mark remains when an old editor adds a Latin-1 line, or when the text is cut in the middle of a character.
 */
const withoutUtf8Mark = (bytes: Uint8Array): Uint8Array =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;

/** The two-byte encoding that the byte order mark names. */
export function encodingByMark(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return undefined;
}

/**
 * Normalises line ends to line feeds: old editors write a lone carriage return. Two fixed-text expressions, which V8
 * replaces in one go: one with an alternative takes ten times as long for a text of nothing but line ends.
 */
export const withLineFeeds = (text: string): string =>
  text.includes('\r') ? text.replaceAll(/\r\n/g, '\n').replaceAll(/\r/g, '\n') : text;
