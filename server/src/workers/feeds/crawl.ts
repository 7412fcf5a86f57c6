import type { Pool } from 'pg';
import { cleanFeedAddress } from '../../core/cleaning/clean-address.ts';
import type { Reading } from '../../core/feeds/reading.ts';
import { saveReadings } from '../../core/feeds/save-feed.ts';
import { hubOf } from '../../formats/feed/finish-feed.ts';
import { freshSecondsOf, linksOf, validatorsOf } from '../../lib/answer-headers.ts';
import type { Clock } from '../../lib/clock.ts';
import { guideId } from '../../lib/guide-id.ts';
import { keepHub } from '../../core/feeds/keep-hub.ts';
import {
  claimFeeds,
  type DueFeed,
  type FeedOutcome,
  finishFeeds,
  moveFeed,
} from '../../storage/catalog/feeds/feeds.ts';
import { isRowError } from '../../storage/db/row-error.ts';
import { transaction } from '../../storage/db/transaction.ts';
import type { DueJob } from '../runner/due-job.ts';
import { Batcher } from '../runner/batcher.ts';
import { Hosts, IN_HAND_PER_HOST } from '../runner/hosts.ts';
import { settleEach } from '../runner/settle-each.ts';
import { type FeedReaders, FeedTrouble, findFeed, type FoundFeed } from './ask-feed.ts';
import { cadenceSeconds, dueAfterReading, isFeedUnreached, troubleOf } from './next-due.ts';

/** Longer than the last claimed feed of a host waits for its turn; also how long a feed waits if its worker dies. */
const LEASE_SECONDS = 120;
const CONCURRENCY = 100;
/** Rows claimed per feed being fetched, so that slow hosts do not hold up fast ones. */
const IN_HAND = 3;

interface CrawlOptions {
  /** How many feeds are fetched concurrently. */
  concurrency?: number | undefined;
  leaseSeconds?: number | undefined;
}

/** The job that keeps shows fresh: reads each feed when it is due and saves what is new. */
export function crawlJob(
  given: Omit<CrawlDeps, 'uplink' | 'saver'>,
  { concurrency = CONCURRENCY, leaseSeconds = LEASE_SECONDS }: CrawlOptions = {},
): DueJob<DueFeed> {
  const { pool, clock } = given;
  const deps = { ...given, uplink: new UplinkCounter(), saver: new FeedSaver(given) };
  const hosts = new Hosts(concurrency);
  const finishing = new Batcher<FeedOutcome, PromiseSettledResult<unknown>>((outcomes) =>
    settleEach(outcomes, (some) => finishFeeds(pool, some), isRowError),
  );
  return {
    name: 'feeds',
    concurrency: concurrency * IN_HAND,
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
        const { word, outcome } = await crawlFeed(deps, due, inTurn, signals.cut);
        if (word === 'busy') hosts.leave(host, clock.elapsedMs());
        const finished = await finishing.add(outcome);
        if (finished.status === 'rejected') throw finished.reason;
        return word;
      } finally {
        hosts.give(host);
      }
    },
  };
}

const hostOf = ({ host }: DueFeed): string => host ?? '';

interface CrawlDeps extends FeedReaders {
  pool: Pool;
  clock: Clock;
  chance: () => number;
  uplink: UplinkCounter;
  saver: FeedSaver;
}

/** Runs the request when the feed's host has capacity; saving needs none. */
type InTurn = <T>(ask: () => Promise<T>) => Promise<T>;

/** The outcome in one word, and what to write to the database. */
interface CrawledFeed {
  word: string;
  outcome: FeedOutcome;
}

/**
 * Reads a feed and saves what is new in it. A problem with the feed is an ordinary outcome; it throws only when the
 * database cannot be written, which says nothing about the feed.
 */
async function crawlFeed(
  deps: CrawlDeps,
  due: DueFeed,
  inTurn: InTurn,
  signal: AbortSignal,
): Promise<CrawledFeed> {
  const found = await inTurn(() => find(deps, due, signal));
  if ('outcome' in found) return found;
  const isMoved = await save(deps, due, found);
  return { word: wordOf(found), outcome: outcomeOf(deps, due, found, isMoved) };
}

async function find(deps: CrawlDeps, due: DueFeed, signal: AbortSignal): Promise<FoundFeed | CrawledFeed> {
  try {
    const found = await findFeed(deps, due, signal);
    deps.uplink.isUp();
    return found;
  } catch (error) {
    // A worker that is stopping records nothing about the feed; its lease ends, and another worker reads it.
    if (signal.aborted) throw error;
    return troubleOf(error, due, deps.chance(), deps.uplink.isDown(error));
  }
}

const wordOf = ({ parsed }: FoundFeed): string =>
  parsed === undefined ? 'unchanged' : parsed.reading === undefined ? 'same' : 'read';

/** Whether the feed is read at another address from now on. */
async function save({ pool, saver }: CrawlDeps, due: DueFeed, found: FoundFeed): Promise<boolean> {
  const { parsed, fetched, movedTo } = found;
  if (parsed?.reading) await saver.save(due.show_id, parsed.reading);
  const to = movedTo === undefined ? undefined : cleanFeedAddress(movedTo);
  const isMoved =
    to !== undefined &&
    !('refused' in to) &&
    (await transaction(pool, (client) => moveFeed(client, due.show_id, to)));
  const offer = parsed && hubOf(parsed, linksOf(fetched.headers), fetched.address);
  // Most feeds have no hub and had none, and are not worth a query each.
  if (parsed && (offer ?? due.has_hub)) await keepHub(pool, due.show_id, offer);
  return isMoved;
}

/**
 * A conditional request would not see the notice again, and what the other place said of itself means nothing here:
 * another show may have that feed.
 */
const isLeaving = ({ notice }: FoundFeed, isMoved: boolean): boolean =>
  notice === 'unread' || (notice === 'followed' && !isMoved);

function outcomeOf(
  { clock, chance }: CrawlDeps,
  due: DueFeed,
  found: FoundFeed,
  isMoved: boolean,
): FeedOutcome {
  const { fetched, parsed } = found;
  const intervalSeconds = parsed
    ? cadenceSeconds(parsed.published, clock.now().epochMilliseconds)
    : due.interval_seconds;
  const askedSeconds = Math.max(parsed?.ttlSeconds ?? 0, freshSecondsOf(fetched.headers));
  const said = isLeaving(found, isMoved) ? {} : validatorsOf(fetched.headers);
  // A 304 may leave out headers that an earlier answer had.
  const kept = parsed ? {} : { etag: due.etag ?? undefined, lastModified: due.last_modified ?? undefined };
  return {
    showId: due.show_id,
    claimedAt: due.claimed_at,
    dueInSeconds: dueAfterReading({ intervalSeconds, askedSeconds, chance: chance() }),
    intervalSeconds,
    failures: 0,
    etag: said.etag ?? kept.etag,
    lastModified: said.lastModified ?? kept.lastModified,
  };
}

interface ReadFeed {
  showId: number;
  reading: Reading;
}

/**
 * Feeds per transaction: enough to share round trips, few enough that none waits long for another's thousands of rows.
 */
const MAX_BATCH = 25;

/** Saves feeds that arrive at the same time in one transaction. */
export class FeedSaver {
  readonly #pool: Pool;
  readonly #clock: Clock;
  readonly #saving: Batcher<ReadFeed, PromiseSettledResult<unknown>>;

  constructor({ pool, clock }: { pool: Pool; clock: Clock }) {
    this.#pool = pool;
    this.#clock = clock;
    this.#saving = new Batcher((feeds) => settleEach(feeds, (some) => this.#saveAll(some)), MAX_BATCH);
  }

  async save(showId: number, reading: Reading): Promise<void> {
    const saved = await this.#saving.add({ showId, reading });
    if (saved.status === 'rejected') throw saved.reason;
  }

  async #saveAll(feeds: readonly ReadFeed[]): Promise<unknown> {
    const readings = new Map(feeds.map(({ showId, reading }) => [showId, reading]));
    return saveReadings(this.#pool, readings, this.#clock.now());
  }
}

/** This many unreachable feeds in a row have one cause, and it is on our side. */
const MAX_UNREACHED = 50;

/** Whether our own uplink works, judged by the latest requests. */
export class UplinkCounter {
  #unreached = 0;

  isUp(): void {
    this.#unreached = 0;
  }

  /** Counts a failure; an HTTP error is still an answer. */
  isDown(error: unknown): boolean {
    if (isFeedUnreached(error)) this.#unreached += 1;
    else if (error instanceof FeedTrouble) this.#unreached = 0;
    return this.#unreached > MAX_UNREACHED;
  }
}
