import { shardedId, shardOf, uuidOf } from '../../src/lib/ids.ts';
import type { CopyValue } from '../../src/storage/db/copy.ts';
import { oneOf, randomOf, sizeOf } from './random.ts';
import { textOf, titleOf } from './words.ts';
import type { MadeShow } from './world.ts';

export interface MadeTopic {
  id: number;
  show: MadeShow;
  title: string;
  description: string;
  address: string;
  format: string;
  durationSeconds: number;
  publishedAt: string;
}

const FORMATS = ['mp3', 'mp3', 'mp3', 'mp3', 'aac'];
/** Characters; descriptions in feeds differ widely, so docs/scale-shows.md gives the cost per hundred. */
const MEAN_DESCRIPTION = 300;

/** A show's topics, the oldest first, as the product writes them; `serial` is the number of the first. */
export function* makeTopics(show: MadeShow, serial: number): Generator<MadeTopic> {
  const random = randomOf(show.id + 1e9);
  const folder = `https://cdn-${show.id % 500}.example.net/redirect.mp3/sounds.example.com/${uuidOf(String(show.id))}`;
  for (let index = 0; index < show.topics; index += 1) {
    const publishedMs = show.latestAtMs - (show.topics - 1 - index) * show.topicEveryMs;
    yield {
      id: shardedId(serial + index, show.id),
      show,
      title: titleOf(random, 2 + sizeOf(random, 4, 14)),
      description: textOf(random, sizeOf(random, MEAN_DESCRIPTION, 6000)),
      address: `${folder}/${serial + index}/default.mp3?source=feed`,
      format: oneOf(random, FORMATS),
      durationSeconds: 60 * sizeOf(random, 35, 240),
      publishedAt: new Date(publishedMs).toISOString(),
    };
  }
}

export const TOPIC_COLUMNS = [
  'show_id',
  'id',
  'shard',
  'title',
  'description',
  'address',
  'topic_key',
  'format',
  'duration_seconds',
  'published_at',
];

export const topicRow = (topic: MadeTopic): CopyValue[] => [
  topic.show.id,
  topic.id,
  shardOf(topic.show.id),
  topic.title,
  topic.description,
  topic.address,
  uuidOf(topic.address),
  topic.format,
  topic.durationSeconds,
  topic.publishedAt,
];
