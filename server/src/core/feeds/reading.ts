import type { Feed, FeedItem } from '../../formats/feed/feed.ts';
import { plainLine } from '../../formats/feed/plain-text.ts';
import { uuidOf } from '../../lib/ids.ts';
import type { StreamFormat } from '../../lib/stream-format.ts';
import type { ShowUpdate } from '../../storage/catalog/shows/shows.ts';
import type { TopicUpdate, TopicUpdates } from '../../storage/catalog/shows/upsert-topics.ts';
import { cleanCodec, insideOgg } from '../cleaning/clean-codec.ts';
import { isOriginalService, isPublicHost } from '../cleaning/refused-hosts.ts';
import { showUpdate } from './show-record.ts';

/**
 * What a feed says about its show and topics, ready to be written. The topics are serialised: they come from a worker
 * thread and go to the database, and one string is cheap to pass on.
 */
export interface Reading extends TopicUpdates {
  show: ShowUpdate;
  /** Equal for feeds with equal content. */
  digest: string;
}

export function readingOf(feed: Feed, now: Temporal.Instant): Reading {
  const show = showOf(feed);
  const given = topicsOf(feed, now);
  const topics = JSON.stringify(given);
  return { show, topics, topicCount: given.length, digest: uuidOf(`${JSON.stringify(show)}${topics}`) };
}

const showOf = (feed: Feed): ShowUpdate => ({
  ...showUpdate({ ...feed, hosts: feed.hosts.join(', ') }),
  listed: !feed.blocked,
});

/** The oldest first. A topic listed twice is taken once; the first entry is the newer one. */
function topicsOf(feed: Feed, now: Temporal.Instant): TopicUpdate[] {
  const topics = new Map<string, TopicUpdate>();
  for (const item of feed.items) {
    const topic = topicUpdate(item, now);
    if (topic && !topics.has(topic.topic_key)) topics.set(topic.topic_key, topic);
  }
  return [...topics.values()].toReversed();
}

const OF_TYPE = new Map<string, StreamFormat>([
  ['mpeg', 'mp3'],
  ['mp3', 'mp3'],
  ['x-mp3', 'mp3'],
  ['mpeg3', 'mp3'],
  ['x-mpeg', 'mp3'],
  ['mpg', 'mp3'],
  ['mp4', 'aac'],
  ['m4a', 'aac'],
  ['x-m4a', 'aac'],
  ['aac', 'aac'],
  ['aacp', 'aac'],
  ['x-aac', 'aac'],
  ['vorbis', 'ogg'],
  ['opus', 'opus'],
  ['flac', 'flac'],
  ['x-flac', 'flac'],
  ['wav', 'wav'],
  ['x-wav', 'wav'],
  ['x-ms-wma', 'wma'],
]);

/** An item as a topic that a radio can play; undefined for articles, pictures and videos. */
export function topicUpdate(item: FeedItem, now: Temporal.Instant): TopicUpdate | undefined {
  const { guid, address, type = '', description, durationSeconds, published } = item;
  const host = address && URL.parse(address)?.hostname;
  if (!address || !host || !isPublicHost(host) || isOriginalService(host)) return undefined;
  const isSound = type === '' || /^(?:audio\/|application\/(?:ogg|octet-stream|x-ogg)|binary\/)/.test(type);
  if (!isSound) return undefined;
  const format = formatOf(type, address);
  // A topic dated in the future would be listed first for ever; its date is then when it was first seen.
  const isPast = published && Temporal.Instant.compare(published, now.add({ hours: 24 })) < 0;
  return {
    topic_key: uuidOf(guid ?? address),
    title: item.title ?? titleWithout(item, address),
    address,
    ...(description && { description }),
    ...(format && { format }),
    ...(durationSeconds && { duration_seconds: durationSeconds }),
    ...(isPast && { published_at: published.toString() }),
  };
}

function formatOf(type: string, address: string): StreamFormat | undefined {
  const named = type.slice(type.indexOf('/') + 1);
  const given = named === 'ogg' ? insideOgg(address) : OF_TYPE.get(named);
  if (given) return given;
  const kind = cleanCodec(undefined, false, address);
  return 'refused' in kind ? undefined : kind.format;
}

/** A text that distinguishes a topic without a title from the next one. */
function titleWithout({ description = '' }: FeedItem, address: string): string {
  const [line = ''] = description.split('\n', 1);
  const file = URL.parse(address)?.pathname.split('/').at(-1);
  return plainLine(line, 100) || plainLine(file ?? '', 100) || plainLine(address, 100);
}
