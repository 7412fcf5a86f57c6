/**
 * Bytes as text: what a byte order mark says, else UTF-8, else Windows-1252, the superset of Latin-1 that old playlist
 * editors write. Every byte is something in Windows-1252, so this never fails.
 */
export function decodeText(bytes: Uint8Array): string {
  const marked = encodingByMark(bytes);
  if (marked) return new TextDecoder(marked).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

function encodingByMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return undefined;
}
