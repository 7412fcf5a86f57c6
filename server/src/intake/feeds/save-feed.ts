import type { Pool, PoolClient } from 'pg';
import { lockFeeds, setFeedDigests } from '../../catalog/feeds.ts';
import { addFirstTopics } from '../../catalog/first-topics.ts';
import { keepNewestTopic, keepNewestTopics, newestOfEach } from '../../catalog/keep-newest-topics.ts';
import { refreshSearch } from '../../catalog/refresh-search.ts';
import { tellShows } from '../../catalog/shows-told.ts';
import { type ToldTopic, tellTopics } from '../../catalog/topics-told.ts';
import { transaction } from '../../db/transaction.ts';
import type { Feed } from '../../formats/feed/feed.ts';
import { systemClock } from '../../lib/clock.ts';
import { type Reading, readingOf } from './reading.ts';

export interface SavedFeed {
  /** False when the feed tells what it told before: then nothing was written. */
  isNew: boolean;
  topicsAdded: number;
  topicsChanged: number;
  showChanged: boolean;
}

const NOTHING: SavedFeed = { isNew: false, topicsAdded: 0, topicsChanged: 0, showChanged: false };

/** What feeds tell, by the ids of their shows. */
export type Readings = ReadonlyMap<number, Reading>;

/** Writes what a feed tells of its show and topics; the same feed again writes nothing. */
export async function saveFeed(
  pool: Pool,
  showId: number,
  feed: Feed,
  now: Temporal.Instant = systemClock.now(),
): Promise<SavedFeed> {
  const saved = await saveReadings(pool, new Map([[showId, readingOf(feed, now)]]), now);
  return saved.get(showId) ?? NOTHING;
}

/** Writes what feeds tell, all in one transaction; those that tell nothing new are not in the answer. */
export const saveReadings = (
  pool: Pool,
  readings: Readings,
  now: Temporal.Instant,
): Promise<Map<number, SavedFeed>> =>
  transaction(pool, async (client) => {
    // Whatever a crash of the database takes away is read again: it takes the digests with it.
    await client.query('SET LOCAL synchronous_commit = off');
    const digests = await lockFeeds(client, [...readings.keys()]);
    const fresh = [...readings].filter(([showId, { digest }]) => digests.get(showId) !== digest);
    if (fresh.length === 0) return new Map();
    const isFirst = ([showId]: [number, Reading]): boolean => digests.get(showId) === undefined;
    const changed = await tellShows(
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

/** Feeds that nobody has read before: few statements for all of them, since most of what saving costs is each trip. */
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

/** Feeds that were read before: what they tell is compared with what is there, show by show. */
async function saveKnown(
  client: PoolClient,
  readings: Readings,
  changed: ReadonlySet<number>,
  now: Temporal.Instant,
): Promise<Map<number, SavedFeed>> {
  const saved = new Map<number, SavedFeed>();
  for (const [showId, { topics }] of readings) {
    const told: ToldTopic[] = JSON.parse(topics);
    const written = await tellTopics(client, showId, told, now);
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
