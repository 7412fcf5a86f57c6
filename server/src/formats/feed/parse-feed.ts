import { decodeFeed } from './decode-feed.ts';
import { type Feed, FeedError, LIMITS } from './feed.ts';
import { finishFeed } from './finish-feed.ts';
import { FeedReader } from './reader.ts';

/** An `&` that starts no entity. */
const STRAY = /&(?!#?\w{1,40};)/g;

/**
 * A feed of any of the dialects in use: RSS 2.0 with what iTunes and Podcasting 2.0 add, Atom, RSS 1.0. `address` is
 * where it came from, which makes its relative addresses whole. Throws nothing but a FeedError.
 */
export function parseFeed(bytes: Uint8Array, address?: string): Feed {
  if (bytes.length > LIMITS.bytes)
    throw new FeedError('too-large', `the feed has ${bytes.length} bytes, over ${LIMITS.bytes}: shorten it`);
  const reader = new FeedReader(address);
  reader.read(withoutStrays(decodeFeed(bytes)));
  return finishFeed(reader.feed, reader.items.list(), address);
}

/**
 * The commonest mistake of hand-made feeds, and the one that can be mended without guessing. It is mended beforehand: a
 * feed that is read again when it fails costs a hostile one's reader twice. In CDATA the sign is no mistake, and the
 * HTML or the address that stands there means the same by both spellings.
 */
function withoutStrays(text: string): string {
  const pieces = text.split(STRAY, LIMITS.strayAmpersands + 2);
  return pieces.length <= LIMITS.strayAmpersands + 1 ? pieces.join('&amp;') : text;
}
