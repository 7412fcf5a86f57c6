import type { Queryable } from '../db/pool.ts';
import { statement } from '../db/statement.ts';
import { SHARDS, shardOf } from '../lib/shard.ts';

/** Topics written by one statement, unless a single feed tells more. */
const BATCH = 2000;

// What came out at an unknown time came out when it was first seen, in the order of the feed.
const add = statement(
  'topics-add-first',
  {
    id: 'int8',
    show_id: 'int8',
    title: 'text',
    published_at: 'timestamptz',
    duration_seconds: 'int4?',
  },
  `INSERT INTO topics (shard, show_id, id, topic_key, title, description, address, format, duration_seconds, published_at)
   SELECT f.shard, f.show_id, nextval('topic_serials') * ${SHARDS} + f.shard, u.topic_key, u.title, u.description,
     u.address, u.format, u.duration_seconds,
     coalesce(u.published_at, $2::timestamptz - (f.count - u.place) * interval '1 second')
   FROM jsonb_to_recordset($1::jsonb) AS f (shard smallint, show_id bigint, count integer, topics jsonb)
   CROSS JOIN LATERAL ROWS FROM (jsonb_to_recordset(f.topics) AS (topic_key uuid, title text, description text,
     address text, format text, duration_seconds integer, published_at timestamptz)) WITH ORDINALITY
     AS u (topic_key, title, description, address, format, duration_seconds, published_at, place)
   ON CONFLICT (show_id, topic_key, shard) DO NOTHING RETURNING id, show_id, title, published_at, duration_seconds`,
);

export type FirstTopic = Awaited<ReturnType<typeof add.run>>[number];

/** All that a feed tells of topics: a JSON array of `ToldTopic`, the oldest first. */
export interface ToldTopics {
  topics: string;
  topicCount: number;
}

/**
 * Adds what feeds tell that are read for the first time, of many shows at once: there is nothing to compare with, and
 * the text goes to PostgreSQL as it is. Returns what was added.
 */
export async function addFirstTopics(
  db: Queryable,
  told: ReadonlyMap<number, ToldTopics>,
  now: Temporal.Instant,
): Promise<FirstTopic[]> {
  const added: FirstTopic[] = [];
  for (const batch of batchesOf(told))
    added.push(...(await add.run(db, [`[${batch.join()}]`, now.toString()])));
  return added;
}

function* batchesOf(told: ReadonlyMap<number, ToldTopics>): Generator<string[]> {
  let batch: string[] = [];
  let count = 0;
  for (const [showId, { topics, topicCount }] of told) {
    batch.push(`{"shard":${shardOf(showId)},"show_id":${showId},"count":${topicCount},"topics":${topics}}`);
    count += topicCount;
    if (count < BATCH) continue;
    yield batch;
    [batch, count] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}
