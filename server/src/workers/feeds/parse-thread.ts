import { parentPort } from 'node:worker_threads';
import { FeedError } from '../../formats/feed/feed.ts';
import { parseFeed } from '../../formats/feed/parse-feed.ts';
import { type Reading, readingOf } from '../../core/feeds/reading.ts';

export interface ParseTask {
  bytes: Uint8Array;
  address: string;
  /** Of the feed as last saved; if it is unchanged, its contents need not be sent back. */
  digest: string | null;
}

/** The show in the feed, and facts about the feed itself. */
export interface ParsedFeed {
  /** Undefined when the feed is unchanged. */
  reading: Reading | undefined;
  ttlSeconds: number | undefined;
  newAddress: string | undefined;
  hub: string | undefined;
  self: string | undefined;
  /** Publication times of its newest topics, in milliseconds, newest first. */
  published: number[];
}

export type ParseOutcome = { parsed: ParsedFeed } | { flaw: string };

/** Enough to derive how often the feed publishes. */
const MAX_TIMES = 20;

function parse({ bytes, address, digest }: ParseTask): ParseOutcome {
  try {
    const feed = parseFeed(bytes, address);
    const now = Temporal.Now.instant();
    const reading = readingOf(feed, now);
    // A topic dated in the future has a wrong date, which says nothing about how often they come.
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
        published: times.toSorted((a, b) => b - a).slice(0, MAX_TIMES),
      },
    };
  } catch (error) {
    if (error instanceof FeedError) return { flaw: error.message };
    throw error;
  }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
parentPort?.on('message', (task: ParseTask) => parentPort?.postMessage(parse(task)));
