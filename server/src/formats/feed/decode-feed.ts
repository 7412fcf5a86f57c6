import { decodeText } from '../decode-text.ts';
import { withLineFeeds } from '../line-feeds.ts';

/** Characters that XML forbids; feeds made of other people's texts carry them all the same. */
// oxlint-disable-next-line no-control-regex
const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]+/g;

/**
 * The bytes of a feed as text that an XML reader takes. A feed often names an encoding it is not in: valid UTF-8 is
 * UTF-8, whatever is declared, since text in any other encoding hardly ever happens to be that.
 */
export function decodeFeed(bytes: Uint8Array): string {
  const text = decode(bytes);
  // XML reads each kind of line end as one, and a parser that goes letter by letter takes long over the old ones.
  return withLineFeeds(text).trimStart().replaceAll(FORBIDDEN, '');
}

function decode(bytes: Uint8Array): string {
  const label = declaredEncoding(bytes);
  // Japanese in seven bits is valid UTF-8 too, and means something else.
  if (label === 'iso-2022-jp') return new TextDecoder(label).decode(bytes);
  try {
    const marked = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
    if (!marked) return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    if (label !== undefined) return new TextDecoder(label).decode(bytes);
  }
  return decodeText(bytes);
}

/** What the XML declaration names, when it is an encoding that is known here and not UTF-8. */
function declaredEncoding(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  const [, label] = /^\s*<\?xml[^>]*?encoding\s*=\s*["']([\w.:-]{1,40})["']/i.exec(head) ?? [];
  if (label === undefined) return undefined;
  try {
    const { encoding } = new TextDecoder(label);
    // Bytes in which the declaration can be read letter by letter are not in sixteen bits, whatever it says.
    return encoding === 'utf-8' || encoding.startsWith('utf-16') ? undefined : encoding;
  } catch {
    return undefined;
  }
}
