import type { Pool } from 'pg';
import { type DueFeed, type FeedOutcome, moveFeed } from '../catalog/due-feeds.ts';
import { noteHub } from '../catalog/feed-hubs.ts';
import { transaction } from '../db/transaction.ts';
import { hubOf } from '../formats/feed/hub.ts';
import { cleanFeedAddress } from '../intake/feeds/feed-address.ts';
import { freshSecondsOf, linksOf, validatorsOf } from '../lib/answer-headers.ts';
import type { Clock } from '../lib/clock.ts';
import type { FeedReaders } from './ask-feed.ts';
import { cadenceSeconds } from './cadence.ts';
import type { Line } from './line.ts';
import type { FeedSaver } from './feed-saver.ts';
import { type FoundFeed, findFeed } from './find-feed.ts';
import { dueAfterReading } from './next-due.ts';
import { troubleOf } from './trouble.ts';

export interface CrawlNeeds extends FeedReaders {
  pool: Pool;
  clock: Clock;
  chance: () => number;
  line: Line;
  saver: FeedSaver;
}

/** Asks when it is the turn of the feed's host; saving needs no turn. */
export type InTurn = <T>(ask: () => Promise<T>) => Promise<T>;

/** How it went, in a word, and what is to be written down. */
export interface CrawledFeed {
  word: string;
  outcome: FeedOutcome;
}

/**
 * Reads a feed and saves what is new in it. What is wrong with the feed is an outcome like others; throws when the
 * database cannot be written, which says nothing of the feed.
 */
export async function crawlFeed(
  needs: CrawlNeeds,
  due: DueFeed,
  inTurn: InTurn,
  signal: AbortSignal,
): Promise<CrawledFeed> {
  const found = await inTurn(() => find(needs, due, signal));
  if ('outcome' in found) return found;
  await save(needs, due, found);
  return { word: wordOf(found), outcome: outcomeOf(needs, due, found) };
}

async function find(needs: CrawlNeeds, due: DueFeed, signal: AbortSignal): Promise<FoundFeed | CrawledFeed> {
  try {
    const found = await findFeed(needs, due, signal);
    needs.line.isUp();
    return found;
  } catch (error) {
    // A worker that is stopping says nothing of the feed; its lease ends, and another reads it.
    if (signal.aborted) throw error;
    return troubleOf(error, due, needs.chance(), needs.line.isDown(error));
  }
}

const wordOf = ({ parsed }: FoundFeed): string =>
  parsed === undefined ? 'unchanged' : parsed.reading === undefined ? 'same' : 'read';

async function save({ pool, saver }: CrawlNeeds, due: DueFeed, found: FoundFeed): Promise<void> {
  const { parsed, fetched, movedTo } = found;
  if (parsed?.reading) await saver.save(due.show_id, parsed.reading);
  const to = movedTo === undefined ? undefined : cleanFeedAddress(movedTo);
  if (to && !('refused' in to)) await transaction(pool, (client) => moveFeed(client, due.show_id, to));
  const offer = parsed && hubOf(parsed, linksOf(fetched.headers), fetched.address);
  // Most feeds have no hub and had none, and are not worth a question each.
  if (parsed && (offer ?? due.has_hub)) await noteHub(pool, due.show_id, offer);
}

function outcomeOf(
  { clock, chance }: CrawlNeeds,
  due: DueFeed,
  { fetched, parsed, isLeaving }: FoundFeed,
): FeedOutcome {
  const intervalSeconds = parsed
    ? cadenceSeconds(parsed.published, clock.now().epochMilliseconds)
    : due.interval_seconds;
  const askedSeconds = Math.max(parsed?.ttlSeconds ?? 0, freshSecondsOf(fetched.headers));
  const told = isLeaving ? {} : validatorsOf(fetched.headers);
  // An answer without news may leave out what it said before.
  const kept = parsed ? {} : { etag: due.etag ?? undefined, lastModified: due.last_modified ?? undefined };
  return {
    showId: due.show_id,
    claimedAt: due.claimed_at,
    dueInSeconds: dueAfterReading({ intervalSeconds, askedSeconds, chance: chance() }),
    intervalSeconds,
    failures: 0,
    etag: told.etag ?? kept.etag,
    lastModified: told.lastModified ?? kept.lastModified,
  };
}
