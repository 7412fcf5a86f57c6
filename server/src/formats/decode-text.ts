import { isAscii, isUtf8 } from 'node:buffer';

// A decoder takes longer to make than a line takes to decode.
const UTF_8 = new TextDecoder();
const WINDOWS_1252 = new TextDecoder('windows-1252');

/**
 * Bytes as text: what a byte order mark says, else UTF-8, else Windows-1252, the superset of Latin-1 that old playlist
 * editors write. Every byte is something in Windows-1252, so this never fails.
 */
export function decodeText(bytes: Uint8Array): string {
  if (isAscii(bytes)) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const marked = encodingByMark(bytes);
  if (marked) return new TextDecoder(marked).decode(bytes);
  return isUtf8(bytes) ? UTF_8.decode(bytes) : WINDOWS_1252.decode(withoutUtf8Mark(bytes));
}

/** The mark of UTF-8 stays in front when an old editor adds a line, or when the text is cut in the middle of a letter. */
const withoutUtf8Mark = (bytes: Uint8Array): Uint8Array =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;

/** Where two bytes are a character, as the mark in front says. */
export function encodingByMark(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return undefined;
}
