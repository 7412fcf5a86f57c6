/** A podcast's feed as it says itself, of whatever dialect; addresses are absolute, texts are plain. */
export interface Feed {
  title?: string;
  description?: string;
  /** As the feed writes it: `en-us`. */
  language?: string;
  homepage?: string;
  image?: string;
  /** Who speaks, in order of mention. */
  hosts: string[];
  /** As the feed writes them, a wider one before those inside it. */
  categories: string[];
  /** How long the feed asks to be left alone after a reading. */
  ttlSeconds?: number;
  /** Where news of the feed can be subscribed to (WebSub), and under which name. */
  hub?: string;
  self?: string;
  /** Where the feed says that it has moved. */
  newAddress?: string;
  /** The name that a podcast keeps when it moves. */
  guid?: string;
  /** The feed asks directories not to list it. */
  blocked: boolean;
  /** The newest, in the order of the feed. */
  items: FeedItem[];
}

export interface FeedItem {
  guid?: string;
  title?: string;
  description?: string;
  /** Where it can be heard. */
  address?: string;
  /** Its media type, in lower case: `audio/mpeg`. */
  type?: string;
  durationSeconds?: number;
  published?: Temporal.Instant;
}

export const LIMITS = {
  bytes: 16 * 2 ** 20,
  /** Five thousand items of a hundred elements: none comes near, and a feed of nothing but tags ends there. */
  elements: 500_000,
  /** Of one item, or of the feed between two of them; the longest chapter lists and notes have hundreds. */
  elementsOfOne: 2000,
  depth: 64,
  attributes: 64,
  /** Characters of one attribute; the rest is cut off. More than an address may have, so that a cut one is refused. */
  attribute: 4096,
  /** Characters of one element; the rest is cut off. */
  text: 64 * 1024,
  items: 5000,
  /** Entities such as `&nbsp;`, which XML does not know and feeds write. */
  unknownEntities: 1000,
  /** `&` that start no entity and are read as themselves. */
  strayAmpersands: 10_000,
  /** Categories, hosts, links of a feed or an item. */
  list: 50,
  title: 500,
  description: 10_000,
  address: 2048,
} as const;

export type FeedFlaw =
  | 'not-xml'
  | 'not-a-feed'
  | 'doctype'
  | 'too-large'
  | 'too-deep'
  | 'too-many-attributes';

/** A feed that cannot be read, and why; the only thing that reading one throws. */
export class FeedError extends Error {
  override name = 'FeedError';
  readonly flaw: FeedFlaw;

  constructor(flaw: FeedFlaw, message: string) {
    super(message);
    this.flaw = flaw;
  }
}
