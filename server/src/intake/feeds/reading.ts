import type { ToldShow } from '../../catalog/shows-told.ts';
import type { ToldTopic } from '../../catalog/topics-told.ts';
import type { Feed } from '../../formats/feed/feed.ts';
import { uuidOf } from '../../lib/uuid-of.ts';
import { toldShow } from './show-record.ts';
import { toldTopic } from './told-topic.ts';

/** What a feed tells of its show and topics, ready to be written; plain values, that can go from thread to thread. */
export interface Reading {
  show: ToldShow;
  topics: ToldTopic[];
  /** The same for a feed that tells the same. */
  digest: string;
}

export function readingOf(feed: Feed, now: Temporal.Instant): Reading {
  const show = showOf(feed);
  const topics = topicsOf(feed, now);
  return { show, topics, digest: uuidOf(JSON.stringify([show, topics])) };
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
