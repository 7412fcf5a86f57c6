import type { Pool } from 'pg';
import { lockFeed, setFeedDigest } from '../../catalog/feeds.ts';
import { refreshSearch } from '../../catalog/refresh-search.ts';
import { tellShow, type ToldShow } from '../../catalog/shows-told.ts';
import { tellTopics, type ToldTopic } from '../../catalog/topics-told.ts';
import { transaction } from '../../db/transaction.ts';
import type { Feed } from '../../formats/feed/feed.ts';
import { systemClock } from '../../lib/clock.ts';
import { uuidOf } from '../../lib/uuid-of.ts';
import { toldShow } from './show-record.ts';
import { toldTopic } from './told-topic.ts';

export interface SavedFeed {
  /** False when the feed tells what it told before: then nothing was written. */
  isNew: boolean;
  topicsAdded: number;
  topicsChanged: number;
  showChanged: boolean;
}

/** Writes what a feed tells of its show and topics, in one transaction; the same feed again writes nothing. */
export function saveFeed(
  pool: Pool,
  showId: number,
  feed: Feed,
  now: Temporal.Instant = systemClock.now(),
): Promise<SavedFeed> {
  const show = showOf(feed);
  const topics = topicsOf(feed, now);
  const digest = uuidOf(JSON.stringify([show, topics]));
  return transaction(pool, async (client) => {
    if ((await lockFeed(client, showId)) === digest)
      return { isNew: false, topicsAdded: 0, topicsChanged: 0, showChanged: false };
    const { added, changed } = await tellTopics(client, showId, topics, now);
    const showChanged = await tellShow(client, { ...show, id: showId });
    await setFeedDigest(client, showId, digest);
    if (showChanged) await refreshSearch(client);
    return { isNew: true, topicsAdded: added, topicsChanged: changed, showChanged };
  });
}

const showOf = (feed: Feed): ToldShow => ({
  ...toldShow({ ...feed, hosts: feed.hosts.join(', ') }),
  listed: !feed.blocked,
});

/** A feed that tells a topic twice tells it once; what stands first is the newer. */
function topicsOf(feed: Feed, now: Temporal.Instant): ToldTopic[] {
  const topics = new Map<string, ToldTopic>();
  for (const item of feed.items) {
    const topic = toldTopic(item, now);
    if (topic && !topics.has(topic.key)) topics.set(topic.key, topic);
  }
  return [...topics.values()];
}
