import type { ToldTopic } from '../../catalog/topics-told.ts';
import type { FeedItem } from '../../formats/feed/feed.ts';
import { plainLine } from '../../formats/feed/plain-text.ts';
import type { StreamFormat } from '../../lib/stream-format.ts';
import { uuidOf } from '../../lib/uuid-of.ts';
import { cleanCodec, insideOgg } from '../clean-codec.ts';
import { isOriginalService, isPublicHost } from '../refused-hosts.ts';

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

/** An item as a topic that a radio can play; undefined for articles, pictures and films. */
export function toldTopic(item: FeedItem, now: Temporal.Instant): ToldTopic | undefined {
  const { guid, address, type = '', description, durationSeconds, published } = item;
  const host = address && URL.parse(address)?.hostname;
  if (!address || !host || !isPublicHost(host) || isOriginalService(host)) return undefined;
  const isSound = type === '' || /^(?:audio\/|application\/(?:ogg|octet-stream|x-ogg)|binary\/)/.test(type);
  if (!isSound) return undefined;
  const format = formatOf(type, address);
  // A topic from tomorrow would stand above all others for ever; it came out when it was first seen.
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
  const told = named === 'ogg' ? insideOgg(address) : OF_TYPE.get(named);
  if (told) return told;
  const kind = cleanCodec(undefined, false, address);
  return 'refused' in kind ? undefined : kind.format;
}

/** Something by which a listener can tell a topic without a title from the next one. */
function titleWithout({ description = '' }: FeedItem, address: string): string {
  const [line = ''] = description.split('\n', 1);
  const file = URL.parse(address)?.pathname.split('/').at(-1);
  return plainLine(line, 100) || plainLine(file ?? '', 100) || plainLine(address, 100);
}
