import type { Pool, PoolClient } from 'pg';
import type { Feed } from '../../formats/feed/feed.ts';
import { systemClock } from '../../lib/clock.ts';
import { lockFeeds, setFeedDigests } from '../../storage/catalog/feeds/feeds.ts';
import { refreshSearch } from '../../storage/catalog/search/refresh-search.ts';
import {
  keepNewestTopic,
  keepNewestTopics,
  newestOfEach,
} from '../../storage/catalog/shows/newest-topics.ts';
import { updateShows } from '../../storage/catalog/shows/shows.ts';
import { addFirstTopics, upsertTopics, type TopicUpdate } from '../../storage/catalog/shows/upsert-topics.ts';
import { transaction } from '../../storage/db/transaction.ts';
import { type Reading, readingOf } from './reading.ts';

export interface SavedFeed {
  /** False when the feed has not changed: then nothing was written. */
  isNew: boolean;
  topicsAdded: number;
  topicsChanged: number;
  showChanged: boolean;
}

const NOTHING: SavedFeed = { isNew: false, topicsAdded: 0, topicsChanged: 0, showChanged: false };

/** What feeds contain, by the ids of their shows. */
export type Readings = ReadonlyMap<number, Reading>;

/** Writes a feed's show and topics; an unchanged feed writes nothing. */
export async function saveFeed(
  pool: Pool,
  showId: number,
  feed: Feed,
  now: Temporal.Instant = systemClock.now(),
): Promise<SavedFeed> {
  const saved = await saveReadings(pool, new Map([[showId, readingOf(feed, now)]]), now);
  return saved.get(showId) ?? NOTHING;
}

/** Writes feeds in one transaction; unchanged ones are not in the result. */
export const saveReadings = (
  pool: Pool,
  readings: Readings,
  now: Temporal.Instant,
): Promise<Map<number, SavedFeed>> =>
  transaction(pool, async (client) => {
    // Anything a database crash loses is read again: it loses the digests too.
    await client.query('SET LOCAL synchronous_commit = off');
    const digests = await lockFeeds(client, [...readings.keys()]);
    const fresh = [...readings].filter(([showId, { digest }]) => digests.get(showId) !== digest);
    if (fresh.length === 0) return new Map();
    const isFirst = ([showId]: [number, Reading]): boolean => digests.get(showId) === undefined;
    const changed = await updateShows(
      client,
      fresh.map(([id, { show }]) => ({ ...show, id })),
    );
    const saved = new Map([
      ...(await saveFirst(client, new Map(fresh.filter(isFirst)), changed, now)),
      ...(await saveKnown(client, new Map(fresh.filter((one) => !isFirst(one))), changed, now)),
    ]);
    await setFeedDigests(client, new Map(fresh.map(([showId, { digest }]) => [showId, digest])));
    if (changed.size > 0) await refreshSearch(client);
    return saved;
  });

/** Feeds read for the first time: few statements for all of them, since most of the cost is round trips. */
async function saveFirst(
  client: PoolClient,
  readings: Readings,
  changed: ReadonlySet<number>,
  now: Temporal.Instant,
): Promise<Map<number, SavedFeed>> {
  const added = await addFirstTopics(client, readings, now);
  await keepNewestTopics(client, newestOfEach(added));
  const topics = Map.groupBy(added, ({ show_id }) => show_id);
  return new Map(
    readings.keys().map((showId) => {
      const topicsAdded = topics.get(showId)?.length ?? 0;
      return [showId, { isNew: true, topicsAdded, topicsChanged: 0, showChanged: changed.has(showId) }];
    }),
  );
}

/** Feeds read before: compared with the stored rows, show by show. */
async function saveKnown(
  client: PoolClient,
  readings: Readings,
  changed: ReadonlySet<number>,
  now: Temporal.Instant,
): Promise<Map<number, SavedFeed>> {
  const saved = new Map<number, SavedFeed>();
  for (const [showId, { topics }] of readings) {
    const given: TopicUpdate[] = JSON.parse(topics);
    const written = await upsertTopics(client, showId, given, now);
    const showChanged = changed.has(showId);
    if (written.added + written.changed > 0 || showChanged) await keepNewestTopic(client, showId);
    saved.set(showId, {
      isNew: true,
      topicsAdded: written.added,
      topicsChanged: written.changed,
      showChanged,
    });
  }
  return saved;
}
