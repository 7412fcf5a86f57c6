import { type DueFeed, claimFeeds, finishFeeds, type FeedOutcome } from '../catalog/due-feeds.ts';
import type { DueJob } from '../jobs/due-job.ts';
import { Gather } from '../jobs/gather.ts';
import { Hosts, IN_HAND_PER_HOST } from '../jobs/hosts.ts';
import { guideId } from '../lib/guide-id.ts';
import { type CrawlNeeds, type InTurn, crawlFeed } from './crawl-feed.ts';
import { FeedSaver } from './feed-saver.ts';
import { Line } from './line.ts';

/** Longer than the last of a host's feeds in hand waits for its turn; a feed whose worker died waits so long. */
const LEASE_SECONDS = 120;
const AT_ONCE = 100;
/** Claimed for each that is being asked, so that slow hosts do not keep quick ones from their turn. */
const IN_HAND = 3;

export interface CrawlOptions {
  /** How many are asked at once. */
  atOnce?: number | undefined;
  leaseSeconds?: number | undefined;
}

/** The job that keeps shows fresh: each feed read when it is due, saved when it is new. */
export function crawlJob(
  given: Omit<CrawlNeeds, 'line' | 'saver'>,
  { atOnce = AT_ONCE, leaseSeconds = LEASE_SECONDS }: CrawlOptions = {},
): DueJob<DueFeed> {
  const { pool, clock } = given;
  const needs = { ...given, line: new Line(), saver: new FeedSaver(given) };
  const hosts = new Hosts(atOnce);
  const finishing = new Gather<FeedOutcome, true>(async (outcomes) => {
    await finishFeeds(pool, outcomes);
    return outcomes.map(() => true);
  });
  return {
    name: 'feeds',
    atOnce: atOnce * IN_HAND,
    idOf: ({ show_id }) => guideId('p', show_id),
    async claim(most) {
      const busy = hosts.busy(clock.elapsedMs());
      const claimed = await claimFeeds(pool, { most, leaseSeconds, busy, mostPerHost: IN_HAND_PER_HOST });
      hosts.take(claimed.map(hostOf), busy);
      return claimed;
    },
    async work(due, signals) {
      const host = hostOf(due);
      try {
        const inTurn: InTurn = (ask) => hosts.inTurn(host, signals.stopping, ask);
        const { word, outcome } = await crawlFeed(needs, due, inTurn, signals.cut);
        if (word === 'busy') hosts.leave(host, clock.elapsedMs());
        await finishing.add(outcome);
        return word;
      } finally {
        hosts.give(host);
      }
    },
  };
}

const hostOf = ({ host }: DueFeed): string => host ?? '';
