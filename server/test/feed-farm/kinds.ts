/** How a feed of the farm behaves, with how many of a thousand do. Nearly all real feeds have nothing new when asked. */
const SHARES = {
  /** Nothing new, told by ETag. */
  tagged: 570,
  /** Nothing new, told by Last-Modified. */
  dated: 345,
  /** Two new topics each round. */
  fresh: 12,
  /** Answers after seconds. */
  slow: 8,
  /** Answers when nobody waits any more. */
  stuck: 2,
  /** The same bytes each time, and nothing to ask "anything new?" with. */
  unmarked: 8,
  /** 301 to another host. */
  moved: 20,
  /** 302 to another host: to be asked here again. */
  lent: 5,
  /** Nearly as large as a feed may be, when unpacked. */
  huge: 1,
  /** Larger. */
  oversized: 1,
  /** Latin letters in an encoding other than the declared one. */
  recoded: 4,
  /** No feed, or one that cannot be read. */
  broken: 6,
  /** 410. */
  gone: 6,
  /** 404. */
  missing: 4,
  /** 429 with Retry-After in the first round. */
  limited: 4,
  /** 503 in the first round. */
  ailing: 4,
};

export type Kind = keyof typeof SHARES;

const THOUSAND = Object.entries(SHARES).flatMap(([kind, share]) =>
  // oxlint-disable-next-line no-unsafe-type-assertion -- the keys of the table above
  Array.from({ length: share }, () => kind as Kind),
);

/** Any thousand numbers in a row have exactly the shares above, well mixed. */
export function kindOf(number: number): Kind {
  const kind = THOUSAND[(number * 617) % THOUSAND.length];
  if (kind === undefined) throw new RangeError(`feeds are numbered from 0: ${number}`);
  return kind;
}

const NEVER = new Set<Kind>(['stuck', 'oversized', 'broken', 'gone', 'missing']);

/** In which round a feed can be read for the first time; undefined where it never can. */
export function readableFrom(number: number): number | undefined {
  const kind = kindOf(number);
  if (NEVER.has(kind)) return undefined;
  return kind === 'limited' || kind === 'ailing' ? 2 : 1;
}

/** A number of its own for each feed and question, from 0 until below 1. */
export function chance(number: number, question: number): number {
  let mixed = Math.imul((number + 1) ^ (question << 24), 0x9e3779b1);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 4_294_967_296;
}
