import { parentPort } from 'node:worker_threads';
import { FeedError } from '../formats/feed/feed.ts';
import { parseFeed } from '../formats/feed/parse-feed.ts';
import { type Reading, readingOf } from '../intake/feeds/reading.ts';

export interface ParseTask {
  bytes: Uint8Array;
  address: string;
  /** Of what the feed told last; a feed that tells the same need not be carried back. */
  digest: string | null;
}

/** Beside what the feed tells of its show, what it tells of itself. */
export interface ParsedFeed {
  /** Nothing when the feed tells what it told before. */
  reading: Reading | undefined;
  ttlSeconds: number | undefined;
  newAddress: string | undefined;
  hub: string | undefined;
  self: string | undefined;
  /** Times of its newest topics, in milliseconds, the newest first. */
  published: number[];
}

export type ParseOutcome = { parsed: ParsedFeed } | { flaw: string };

/** So many times tell how often it comes. */
const MOST_TIMES = 20;

function parse({ bytes, address, digest }: ParseTask): ParseOutcome {
  try {
    const feed = parseFeed(bytes, address);
    const now = Temporal.Now.instant();
    const reading = readingOf(feed, now);
    // A topic from tomorrow has a mistaken time, which says nothing of how often they come.
    const tomorrow = now.add({ hours: 24 }).epochMilliseconds;
    const times = feed.items
      .flatMap(({ published }) => published?.epochMilliseconds ?? [])
      .filter((time) => time < tomorrow);
    const { ttlSeconds, newAddress, hub, self } = feed;
    return {
      parsed: {
        reading: reading.digest === digest ? undefined : reading,
        ttlSeconds,
        newAddress,
        hub,
        self,
        published: times.toSorted((a, b) => b - a).slice(0, MOST_TIMES),
      },
    };
  } catch (error) {
    if (error instanceof FeedError) return { flaw: error.message };
    throw error;
  }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
parentPort?.on('message', (task: ParseTask) => parentPort?.postMessage(parse(task)));
