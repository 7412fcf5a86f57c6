/** Printable ASCII without `%` and `+`: nearly every parameter, and needs no decoding. */
const PLAIN = /^[ -$&-*,-~]*$/;
const BEYOND_ASCII = /[^\0-\x7f]/;
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\0-\x1f\x7f]/;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The encoding standard decodes Latin-1 as windows-1252. */
const latin1 = new TextDecoder('windows-1252');

/**
 * Decodes one name or value of a form to NFC text; undefined when it contains a control character. The input has one
 * character per byte, as Node passes a request's URL. Tolerates clients that send raw UTF-8 or Latin-1, escaped or not,
 * or a literal `%`.
 */
export function decodeComponent(text: string): string | undefined {
  if (PLAIN.test(text)) return text;
  const decoded = percentDecode(text.replaceAll('+', ' '));
  return CONTROL.test(decoded) ? undefined : decoded.normalize('NFC');
}

function percentDecode(text: string): string {
  if (!BEYOND_ASCII.test(text)) {
    try {
      return decodeURIComponent(text);
    } catch {
      // Decoded byte by byte below.
    }
  }
  const bytes = Buffer.from(text.replaceAll(/%([\da-f]{2})/gi, byteOf), 'latin1');
  try {
    return utf8.decode(bytes);
  } catch {
    return latin1.decode(bytes);
  }
}

const byteOf = (_escape: string, hex: string): string => String.fromCharCode(Number.parseInt(hex, 16));
