import type { Queryable } from '../db/pool.ts';
import { statement } from '../db/statement.ts';
import { SHARDS, shardOf } from '../lib/shard.ts';
import { type ToldTopic, rowsOf } from './topics-told.ts';

const BATCH = 1000;

const add = statement(
  'topics-add-first',
  { id: 'int8', show_id: 'int8', title: 'text', published_at: 'timestamptz', duration_seconds: 'int4?' },
  `INSERT INTO topics (shard, show_id, id, topic_key, title, description, address, format, duration_seconds, published_at)
   SELECT u.shard, u.show_id, nextval('topic_serials') * ${SHARDS} + u.shard, u.topic_key, u.title, u.description,
     u.address, u.format, u.duration_seconds, u.published_at
   FROM jsonb_to_recordset($1::jsonb) AS u (shard smallint, show_id bigint, topic_key uuid, title text,
     description text, address text, format text, duration_seconds integer, published_at timestamptz)
   ON CONFLICT (show_id, topic_key, shard) DO NOTHING RETURNING id, show_id, title, published_at, duration_seconds`,
);

export type FirstTopic = Awaited<ReturnType<typeof add.run>>[number];

/**
 * Adds what feeds tell that are read for the first time, of many shows at once: there is nothing to compare with.
 * Returns what was added.
 */
export async function addFirstTopics(
  db: Queryable,
  told: ReadonlyMap<number, readonly ToldTopic[]>,
  now: Temporal.Instant,
): Promise<FirstTopic[]> {
  const rows = [...told].flatMap(([showId, topics]) =>
    rowsOf(topics, now).map((row) => ({
      ...row,
      published_at: row.published_at ?? row.firstSeenAt,
      show_id: showId,
      shard: shardOf(showId),
    })),
  );
  const added: FirstTopic[] = [];
  for (let start = 0; start < rows.length; start += BATCH)
    added.push(...(await add.run(db, [JSON.stringify(rows.slice(start, start + BATCH))])));
  return added;
}
