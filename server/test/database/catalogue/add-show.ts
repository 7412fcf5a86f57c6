import { SHARDS, shardOf } from '../../../src/lib/ids.ts';
import { refreshSearch } from '../../../src/storage/catalog/search/refresh-search.ts';
import { keepNewestTopic } from '../../../src/storage/catalog/shows/newest-topics.ts';
import type { Queryable } from '../../../src/storage/db/pool.ts';
import { statement } from '../../../src/storage/db/statement.ts';

interface NewShow {
  title: string;
  hosts?: string;
  description?: string;
  homepage?: string;
  /** Where its topics are read from, with the hash that identifies the feed. */
  feed?: { address: string; key: string };
  languageId?: number;
  genreId?: number;
  countryId?: number;
  popularity?: number;
}

const showAdd = statement(
  'show-add',
  { id: 'int8' },
  `INSERT INTO shows (title, hosts, description, homepage, feed_address, feed_key, language_id, genre_id, country_id,
     popularity)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (feed_key) DO NOTHING RETURNING id`,
);

/** The new show's id, already searchable; undefined when a show with the same feed exists. */
export async function addShow(db: Queryable, show: NewShow): Promise<number | undefined> {
  const { title, hosts, description, homepage, feed, languageId, genreId, countryId, popularity = 0 } = show;
  const said = [
    title,
    hosts,
    description,
    homepage,
    feed?.address,
    feed?.key,
    languageId,
    genreId,
    countryId,
  ];
  const [added] = await showAdd.run(db, [...said, popularity]);
  if (added) await refreshSearch(db);
  return added?.id;
}

export interface NewTopic {
  showId: number;
  /** Hash of the feed's own identifier of the topic. */
  key: string;
  title: string;
  address: string;
  publishedAt: Temporal.Instant;
  description?: string;
  format?: string;
  streamType?: 'download' | 'ondemand' | 'live';
  durationSeconds?: number;
}

// A feed is read again every hour and mostly contains known topics. Checking first keeps each read from consuming
// hundreds of sequence numbers: ON CONFLICT alone takes one for every row that it then skips.
const topicAdd = statement(
  'topic-add',
  { id: 'int8' },
  `INSERT INTO topics (shard, show_id, id, topic_key, title, address, published_at, description, format, stream_type,
     duration_seconds)
   SELECT $1::smallint, $2::bigint, nextval('topic_serials') * ${SHARDS} + $1::smallint, $3::uuid, $4::text, $5::text,
     $6::timestamptz, $7::text, $8::text, $9::text, $10::integer
   WHERE NOT EXISTS (SELECT FROM topics WHERE shard = $1 AND show_id = $2 AND topic_key = $3)
   ON CONFLICT (show_id, topic_key, shard) DO NOTHING RETURNING id`,
);

/** The new topic's id; undefined when the show has it already. */
export async function addTopic(db: Queryable, topic: NewTopic): Promise<number | undefined> {
  const {
    showId,
    key,
    title,
    address,
    description,
    format,
    streamType = 'download',
    durationSeconds,
  } = topic;
  const [added] = await topicAdd.run(db, [
    shardOf(showId),
    showId,
    key,
    title,
    address,
    topic.publishedAt.toString(),
    description,
    format,
    streamType,
    durationSeconds,
  ]);
  if (added) await keepNewestTopic(db, showId);
  return added?.id;
}
