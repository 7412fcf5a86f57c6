/** The contents of a podcast feed of any dialect; addresses are absolute, texts are plain. */
export interface Feed {
  title?: string;
  description?: string;
  /** As the feed writes it: `en-us`. */
  language?: string;
  homepage?: string;
  image?: string;
  /** The speakers, in order of mention. */
  hosts: string[];
  /** As the feed writes them, wider ones before narrower ones. */
  categories: string[];
  /** How long the feed asks not to be fetched again. */
  ttlSeconds?: number;
  /** The WebSub hub of the feed, and the feed's name there. */
  hub?: string;
  self?: string;
  /** Where the feed says that it has moved. */
  newAddress?: string;
  /** The id that a podcast keeps when it moves. */
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
  /** The address of the audio. */
  address?: string;
  /** Its media type, in lower case: `audio/mpeg`. */
  type?: string;
  durationSeconds?: number;
  published?: Temporal.Instant;
}

export const FEED_LIMITS = {
  bytes: 16 * 2 ** 20,
  /** Five thousand items of a hundred elements: no real feed comes near, and a feed of nothing but tags ends there. */
  elements: 500_000,
  /** Per item, or for the feed between two items; the longest chapter lists and notes have hundreds. */
  elementsOfOne: 2000,
  depth: 64,
  attributes: 64,
  /** Characters per attribute; the rest is cut off. More than an address may have, so that a cut one is refused. */
  attribute: 4096,
  /** Characters per element; the rest is cut off. */
  text: 64 * 1024,
  items: 5000,
  /** Entities such as `&nbsp;`, which XML does not define but feeds use. */
  unknownEntities: 1000,
  /** `&` that start no entity and are read literally. */
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

/** A feed that cannot be read, and why; the only error that parsing throws. */
export class FeedError extends Error {
  override name = 'FeedError';
  readonly flaw: FeedFlaw;

  constructor(flaw: FeedFlaw, message: string) {
    super(message);
    this.flaw = flaw;
  }
}
