/** Printable ASCII without `%` and `+`: nearly every parameter, and already what it means. */
const PLAIN = /^[ -$&-*,-~]*$/;
const BEYOND_ASCII = /[^\0-\x7f]/;
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\0-\x1f\x7f]/;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * One name or value of a form as composed (NFC) text; undefined when it is no UTF-8, wrongly percent-encoded or holds
 * a control character. The input has one character for each byte, as Node hands over a request's address; bare
 * UTF-8, which sloppy clients put into a form, is understood too.
 */
export function decodeComponent(text: string): string | undefined {
  if (PLAIN.test(text)) return text;
  const decoded = percentDecode(text.replaceAll('+', ' '));
  if (decoded === undefined || CONTROL.test(decoded)) return undefined;
  return decoded.normalize('NFC');
}

function percentDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(BEYOND_ASCII.test(text) ? utf8.decode(Buffer.from(text, 'latin1')) : text);
  } catch {
    return undefined;
  }
}
