import type { ToldTopics } from '../../catalog/first-topics.ts';
import type { ToldShow } from '../../catalog/shows-told.ts';
import type { ToldTopic } from '../../catalog/topics-told.ts';
import type { Feed } from '../../formats/feed/feed.ts';
import { uuidOf } from '../../lib/uuid-of.ts';
import { toldShow } from './show-record.ts';
import { toldTopic } from './told-topic.ts';

/**
 * What a feed tells of its show and topics, ready to be written. The topics are text: they come from a thread and go to
 * the database, and a text is carried there in one piece.
 */
export interface Reading extends ToldTopics {
  show: ToldShow;
  /** The same for a feed that tells the same. */
  digest: string;
}

export function readingOf(feed: Feed, now: Temporal.Instant): Reading {
  const show = showOf(feed);
  const told = topicsOf(feed, now);
  const topics = JSON.stringify(told);
  return { show, topics, topicCount: told.length, digest: uuidOf(`${JSON.stringify(show)}${topics}`) };
}

const showOf = (feed: Feed): ToldShow => ({
  ...toldShow({ ...feed, hosts: feed.hosts.join(', ') }),
  listed: !feed.blocked,
});

/** The oldest first. A feed that tells a topic twice tells it once; what stands first is the newer. */
function topicsOf(feed: Feed, now: Temporal.Instant): ToldTopic[] {
  const topics = new Map<string, ToldTopic>();
  for (const item of feed.items) {
    const topic = toldTopic(item, now);
    if (topic && !topics.has(topic.topic_key)) topics.set(topic.topic_key, topic);
  }
  return [...topics.values()].toReversed();
}
