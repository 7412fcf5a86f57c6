import { shardOf, SHARDS } from '../../../lib/ids.ts';
import type { Queryable } from '../../db/pool.ts';
import { statement } from '../../db/statement.ts';

/** A topic from a feed, with the column names of its row: most are only passed on, as text. */
export interface TopicUpdate {
  /** Hash of the feed's own identifier of the topic. */
  topic_key: string;
  title: string;
  address: string;
  description?: string;
  format?: string;
  duration_seconds?: number;
  /** An instant; undefined when the feed gives none, or an impossible one. */
  published_at?: string;
}

/** How many topics a read added, and how many it changed. */
interface TopicsWritten {
  added: number;
  changed: number;
}

const BATCH = 500;

const byKeys = statement(
  'topics-by-keys',
  { id: 'int8', topic_key: 'uuid' },
  'SELECT id, topic_key FROM topics WHERE shard = $1 AND show_id = $2 AND topic_key = ANY ($3::uuid[])',
);

const byAddresses = statement(
  'topics-by-addresses',
  { id: 'int8', topic_key: 'uuid', address: 'text' },
  `SELECT id, topic_key, address FROM topics WHERE shard = $1 AND show_id = $2 AND address = ANY ($3::text[])
   ORDER BY id DESC`,
);

const UPDATABLE = `jsonb_to_recordset($3::jsonb) AS u (id bigint, topic_key uuid, title text, description text, address text,
  format text, duration_seconds integer, published_at timestamptz)`;

// If the feed gives no time, the topic keeps the time at which it was first seen.
const change = statement(
  'topics-change',
  { id: 'int8' },
  `UPDATE topics t SET topic_key = u.topic_key, title = u.title, description = u.description, address = u.address,
     format = u.format, duration_seconds = u.duration_seconds, published_at = coalesce(u.published_at, t.published_at)
   FROM ${UPDATABLE} WHERE t.shard = $1 AND t.show_id = $2 AND t.id = ANY ($4::bigint[]) AND t.id = u.id
   AND (t.topic_key, t.title, t.description, t.address, t.format, t.duration_seconds, t.published_at) IS DISTINCT FROM
     (u.topic_key, u.title, u.description, u.address, u.format, u.duration_seconds,
      coalesce(u.published_at, t.published_at))
   RETURNING t.id`,
);

const add = statement(
  'topics-add',
  { id: 'int8' },
  `INSERT INTO topics (shard, show_id, id, topic_key, title, description, address, format, duration_seconds, published_at)
   SELECT $1::smallint, $2::bigint, nextval('topic_serials') * ${SHARDS} + $1::smallint, u.topic_key, u.title,
     u.description, u.address, u.format, u.duration_seconds, u.published_at
   FROM ${UPDATABLE} ON CONFLICT (show_id, topic_key, shard) DO NOTHING RETURNING id`,
);

/**
 * Writes the topics of a show's feed, only those that differ; run inside a transaction that has locked the feed. They
 * are sorted oldest first, so that ids and places on disk follow the order of publication. Topics no longer in the feed
 * stay: most feeds contain only the newest, and presets refer to the others.
 */
export async function upsertTopics(
  db: Queryable,
  showId: number,
  topics: readonly TopicUpdate[],
  now: Temporal.Instant,
): Promise<TopicsWritten> {
  const written = { added: 0, changed: 0 };
  const keys = new Set(topics.map((topic) => topic.topic_key));
  const rows = rowsOf(topics, now);
  for (let start = 0; start < rows.length; start += BATCH) {
    const batch = rows.slice(start, start + BATCH);
    const ids = await knownIds(db, showId, batch, keys);
    written.changed += await changeKnown(db, showId, batch, ids);
    written.added += await addNew(
      db,
      showId,
      batch.filter(({ topic_key }) => !ids.has(topic_key)),
    );
  }
  return written;
}

/** A topic without a time gets the time at which it was first seen, in the order of the feed. */
const rowsOf = (topics: readonly TopicUpdate[], now: Temporal.Instant) =>
  topics.map((topic, index) => ({
    ...topic,
    firstSeenAt: now.subtract({ seconds: topics.length - 1 - index }).toString(),
  }));

type Row = ReturnType<typeof rowsOf>[number];

/**
 * Ids of the existing topics, by their keys. A feed that moves to another publisher gives its topics new identifiers; a
 * topic with the same audio address whose old identifier is gone is still the same topic.
 */
async function knownIds(
  db: Queryable,
  showId: number,
  batch: readonly Row[],
  knownKeys: ReadonlySet<string>,
): Promise<Map<string, number>> {
  const place = [shardOf(showId), showId];
  const known = await byKeys.run(db, [...place, batch.map(({ topic_key }) => topic_key)]);
  const ids = new Map(known.map(({ id, topic_key }) => [topic_key, id]));
  const unknown = batch.filter(({ topic_key }) => !ids.has(topic_key));
  if (unknown.length === 0) return ids;
  const alike = await byAddresses.run(db, [...place, unknown.map(({ address }) => address)]);
  const left = new Map(
    alike.filter((row) => !knownKeys.has(row.topic_key)).map((row) => [row.address, row.id]),
  );
  for (const { topic_key, address } of unknown) {
    const id = left.get(address);
    if (id === undefined) continue;
    ids.set(topic_key, id);
    left.delete(address);
  }
  return ids;
}

async function changeKnown(
  db: Queryable,
  showId: number,
  batch: readonly Row[],
  ids: ReadonlyMap<string, number>,
): Promise<number> {
  if (ids.size === 0) return 0;
  const known = batch
    .filter(({ topic_key }) => ids.has(topic_key))
    .map((row) => ({ ...row, id: ids.get(row.topic_key) }));
  const params = [shardOf(showId), showId, JSON.stringify(known), [...ids.values()]];
  return (await change.run(db, params)).length;
}

async function addNew(db: Queryable, showId: number, batch: readonly Row[]): Promise<number> {
  if (batch.length === 0) return 0;
  const rows = batch.map((row) => ({ ...row, published_at: row.published_at ?? row.firstSeenAt }));
  return (await add.run(db, [shardOf(showId), showId, JSON.stringify(rows)])).length;
}

/** Topics per statement, unless a single feed has more. */
const FIRST_BATCH = 2000;

// A topic without a time gets the time at which it was first seen, in the order of the feed.
const topicsAddFirst = statement(
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

type FirstTopic = Awaited<ReturnType<typeof topicsAddFirst.run>>[number];

/** A feed's topics: a JSON array of `TopicUpdate`, the oldest first. */
export interface TopicUpdates {
  topics: string;
  topicCount: number;
}

/**
 * Adds the topics of feeds read for the first time, for many shows per statement: there is nothing to compare with, and
 * the text goes to PostgreSQL unchanged. Returns what was added.
 */
export async function addFirstTopics(
  db: Queryable,
  given: ReadonlyMap<number, TopicUpdates>,
  now: Temporal.Instant,
): Promise<FirstTopic[]> {
  const added: FirstTopic[] = [];
  for (const batch of batchesOf(given))
    added.push(...(await topicsAddFirst.run(db, [`[${batch.join()}]`, now.toString()])));
  return added;
}

function* batchesOf(given: ReadonlyMap<number, TopicUpdates>): Generator<string[]> {
  let batch: string[] = [];
  let count = 0;
  for (const [showId, { topics, topicCount }] of given) {
    batch.push(`{"shard":${shardOf(showId)},"show_id":${showId},"count":${topicCount},"topics":${topics}}`);
    count += topicCount;
    if (count < FIRST_BATCH) continue;
    yield batch;
    [batch, count] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}
