/** Printable ASCII without `%` and `+`: nearly every parameter, and already what it means. */
const PLAIN = /^[ -$&-*,-~]*$/;
const BEYOND_ASCII = /[^\0-\x7f]/;
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\0-\x1f\x7f]/;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** As the encoding standard reads Latin-1: with the letters and signs that Windows has beyond it. */
const latin1 = new TextDecoder('windows-1252');

/**
 * One name or value of a form as composed (NFC) text; undefined when it holds a control character. The input has one
 * character for each byte, as Node hands over a request's address. Sloppy clients put bare UTF-8 into it, or Latin-1,
 * escaped or not, or a `%` that stands for itself: all that is understood.
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
      // Read byte by byte below.
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
