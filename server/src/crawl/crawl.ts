import { type DueFeed, claimFeeds, finishFeeds, type FeedOutcome } from '../catalog/due-feeds.ts';
import type { DueJob } from '../jobs/due-job.ts';
import { Gather } from '../jobs/gather.ts';
import { guideId } from '../lib/guide-id.ts';
import { type CrawlNeeds, crawlFeed } from './crawl-feed.ts';
import { FeedSaver } from './feed-saver.ts';
import { Line } from './line.ts';

/** Longer than reading the slowest feed takes; a feed whose worker died waits so long. */
const LEASE_SECONDS = 120;
const AT_ONCE = 100;
const PER_HOST = 2;

export interface CrawlOptions {
  atOnce?: number | undefined;
  leaseSeconds?: number | undefined;
}

/** The job that keeps shows fresh: each feed read when it is due, saved when it is new. */
export function crawlJob(
  given: Omit<CrawlNeeds, 'line' | 'saver'>,
  { atOnce = AT_ONCE, leaseSeconds = LEASE_SECONDS }: CrawlOptions = {},
): DueJob<DueFeed> {
  const needs = { ...given, line: new Line(), saver: new FeedSaver(given) };
  const busy = new Map<string, number>();
  const finishing = new Gather<FeedOutcome, true>(async (outcomes) => {
    await finishFeeds(needs.pool, outcomes);
    return outcomes.map(() => true);
  });
  const count = ({ host }: DueFeed, by: number): void => {
    const now = (busy.get(host ?? '') ?? 0) + by;
    if (now > 0) busy.set(host ?? '', now);
    else busy.delete(host ?? '');
  };
  return {
    name: 'feeds',
    atOnce,
    idOf: ({ show_id }) => guideId('p', show_id),
    async claim(most) {
      const claimed = await claimFeeds(needs.pool, { most, leaseSeconds, busy, mostPerHost: PER_HOST });
      for (const due of claimed) count(due, 1);
      return claimed;
    },
    async work(due, signal) {
      try {
        const { word, outcome } = await crawlFeed(needs, due, signal);
        await finishing.add(outcome);
        return word;
      } finally {
        count(due, -1);
      }
    },
  };
}
