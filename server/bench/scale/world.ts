import { uuidOf } from '../../src/lib/ids.ts';
import { oneOf, type Random, randomOf, rankOf, sizeOf } from './random.ts';
import { textOf, titleOf } from './words.ts';

/** A made-up catalogue. Each show follows from its number alone, so that a stopped load can continue. */
export interface World {
  shows: number;
  topics: number;
}

export interface MadeShow {
  id: number;
  title: string;
  hosts: string | null;
  description: string;
  homepage: string;
  feedAddress: string;
  feedKey: string;
  image: string;
  languageRank: number;
  genreRank: number;
  popularity: number;
  topics: number;
  /** Of the newest topic, and from each topic to the one before. */
  latestAtMs: number;
  topicEveryMs: number;
}

const DAY_MS = 86_400_000;
/** The day on which the newest topics of this world were published. */
export const TODAY_MS = Date.parse('2026-11-01T00:00:00Z');
const FIRST_FEEDS_MS = Date.parse('2005-06-01T00:00:00Z');
export const GENRE_RANKS = 120;
export const LANGUAGES = 'en es pt de fr id hi it sv nl ja zh ko ru pl tr ar da no fi'.split(' ');
/** Few companies host most feeds. */
const HOSTS = 20_000;
const MAX_TOPICS = 2000;
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** One show in four had a topic in the last fortnight; the others ended, most of them years ago. */
const ageMs = (random: Random): number =>
  DAY_MS * (random() < 0.25 ? random() * 14 : 14 + sizeOf(random, 900, 6000));

export function makeShow(id: number, topics: number): MadeShow {
  const random = randomOf(id);
  const host = `feeds-${rankOf(random, HOSTS)}.example.net`;
  const latestAtMs = TODAY_MS - ageMs(random);
  const wished = DAY_MS * oneOf(random, [1, 7, 7, 7, 14, 30]);
  return {
    id,
    title: titleOf(random, 1 + sizeOf(random, 2, 8)),
    hosts: random() < 0.8 ? titleOf(random, 2) : null,
    description: textOf(random, sizeOf(random, 350, 4000)),
    homepage: `https://www-${id}.example.org/`,
    feedAddress: `https://${host}/shows/${uuidOf(`feed ${id}`)}/feed.xml`,
    feedKey: uuidOf(`${host}/${id}`),
    image: `https://${host}/shows/${uuidOf(`feed ${id}`)}/cover-1400.jpg`,
    languageRank: rankOf(random, LANGUAGES.length),
    genreRank: rankOf(random, GENRE_RANKS),
    popularity: Math.min(1_000_000, Math.floor(5 * (1 - random()) ** -0.75) - 5),
    topics,
    latestAtMs,
    topicEveryMs: Math.min(wished, (latestAtMs - FIRST_FEEDS_MS) / topics),
  };
}

/** How many topics each show has: many have three, some have two thousand, and the total is `topics`. */
export function topicCounter({ shows, topics }: World): (showId: number) => number {
  const mean = topics / shows;
  let [low, high] = [0, 2 * mean];
  while (high - low > mean / 1e6) {
    const middle = (low + high) / 2;
    if (meanOf(middle) < mean) low = middle;
    else high = middle;
  }
  // The multiples of the golden ratio fill the range evenly, so that a slice of the world has its share of long shows.
  return (showId) => countAt(high, 1 - ((showId * GOLDEN) % 1));
}

const countAt = (least: number, share: number): number =>
  Math.min(MAX_TOPICS, Math.max(1, Math.floor(least * share ** -0.85)));

const STEPS = 100_000;
const meanOf = (least: number): number =>
  Array.from({ length: STEPS }, (_, step) => countAt(least, (step + 0.5) / STEPS)).reduce((a, b) => a + b) /
  STEPS;
