import { decodeText, withLineFeeds } from '../decode-text.ts';
import { type Feed, FeedError, FEED_LIMITS } from './feed.ts';
import { finishFeed } from './finish-feed.ts';
import { FeedReader } from './reader.ts';

/** An `&` that starts no entity. */
const STRAY = /&(?!#?\w{1,40};)/g;

/**
 * Parses a feed of any dialect in use: RSS 2.0 with the iTunes and Podcasting 2.0 extensions, Atom, RSS 1.0. `address`
 * is where it came from, to resolve relative addresses. Throws only FeedError.
 */
export function parseFeed(bytes: Uint8Array, address?: string): Feed {
  if (bytes.length > FEED_LIMITS.bytes)
    throw new FeedError(
      'too-large',
      `the feed has ${bytes.length} bytes, over ${FEED_LIMITS.bytes}: shorten it`,
    );
  const reader = new FeedReader(address);
  reader.read(withoutStrays(decodeFeed(bytes)));
  return finishFeed(reader.feed, reader.items.list(), address);
}

/**
 * The commonest mistake of hand-made feeds, and one that can be corrected without guessing. It is corrected
 * beforehand: retrying after a failure would make a hostile feed cost twice. In CDATA the `&` is valid, and the HTML
 * or the address there means the same in both spellings.
 */
function withoutStrays(text: string): string {
  const pieces = text.split(STRAY, FEED_LIMITS.strayAmpersands + 2);
  return pieces.length <= FEED_LIMITS.strayAmpersands + 1 ? pieces.join('&amp;') : text;
}

/** Characters that XML forbids; feeds built from user input contain them all the same. */
// oxlint-disable-next-line no-control-regex
const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]+/g;

/**
 * Decodes a feed for an XML parser. Many feeds declare the wrong encoding: valid UTF-8 is read as UTF-8 whatever is
 * declared, since text in any other encoding is hardly ever valid UTF-8 by chance.
 */
export function decodeFeed(bytes: Uint8Array): string {
  const text = decode(bytes);
  // XML treats all line ends alike, and a character-by-character parser is slow with the old ones.
  return withLineFeeds(text).trimStart().replaceAll(FORBIDDEN, '');
}

function decode(bytes: Uint8Array): string {
  const label = declaredEncoding(bytes);
  // Japanese in seven bits is valid UTF-8 too, with another meaning.
  if (label === 'iso-2022-jp') return new TextDecoder(label).decode(bytes);
  try {
    const marked = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
    if (!marked) return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    if (label !== undefined) return new TextDecoder(label).decode(bytes);
  }
  return decodeText(bytes);
}

/** The encoding in the XML declaration, if it is supported and not UTF-8. */
function declaredEncoding(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  const [, label] = /^\s*<\?xml[^>]*?encoding\s*=\s*["']([\w.:-]{1,40})["']/i.exec(head) ?? [];
  if (label === undefined) return undefined;
  try {
    const { encoding } = new TextDecoder(label);
    // If the declaration is readable byte by byte, the text is not UTF-16, whatever it says.
    return encoding === 'utf-8' || encoding.startsWith('utf-16') ? undefined : encoding;
  } catch {
    return undefined;
  }
}
