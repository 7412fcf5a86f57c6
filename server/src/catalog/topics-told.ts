import type { Queryable } from '../db/pool.ts';
import { statement } from '../db/statement.ts';
import { SHARDS, shardOf } from '../lib/shard.ts';

/** A topic as a feed tells it, in the words of its row: most are only passed on, as text. */
export interface ToldTopic {
  /** Hash of the feed's own identifier of the topic. */
  topic_key: string;
  title: string;
  address: string;
  description?: string;
  format?: string;
  duration_seconds?: number;
  /** An instant; none when the feed does not say, or says what cannot be. */
  published_at?: string;
}

/** How many topics a reading added, and how many it changed. */
export interface TopicsWritten {
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

const TOLD = `jsonb_to_recordset($3::jsonb) AS u (id bigint, topic_key uuid, title text, description text, address text,
  format text, duration_seconds integer, published_at timestamptz)`;

// A time that the feed does not tell stays the time at which the topic was first seen.
const change = statement(
  'topics-change',
  { id: 'int8' },
  `UPDATE topics t SET topic_key = u.topic_key, title = u.title, description = u.description, address = u.address,
     format = u.format, duration_seconds = u.duration_seconds, published_at = coalesce(u.published_at, t.published_at)
   FROM ${TOLD} WHERE t.shard = $1 AND t.show_id = $2 AND t.id = ANY ($4::bigint[]) AND t.id = u.id
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
   FROM ${TOLD} ON CONFLICT (show_id, topic_key, shard) DO NOTHING RETURNING id`,
);

/**
 * Writes what a feed tells of a show's topics, and only what differs; run inside a transaction that has locked the feed.
 * They come the oldest first, so that ids and places on disk follow the order in which topics came out. Topics that the
 * feed no longer tells stay: most feeds tell the newest only, and presets name the others.
 */
export async function tellTopics(
  db: Queryable,
  showId: number,
  topics: readonly ToldTopic[],
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

/** What came out at an unknown time came out when it was first seen, in the order of the feed. */
const rowsOf = (topics: readonly ToldTopic[], now: Temporal.Instant) =>
  topics.map((topic, index) => ({
    ...topic,
    firstSeenAt: now.subtract({ seconds: topics.length - 1 - index }).toString(),
  }));

type Row = ReturnType<typeof rowsOf>[number];

/**
 * Ids of the topics that are there, by their keys. A feed that moves to another maker gives its topics new identifiers;
 * a topic whose sound is where it was, and whose old identifier is told no more, is still that topic.
 */
async function knownIds(
  db: Queryable,
  showId: number,
  batch: readonly Row[],
  toldKeys: ReadonlySet<string>,
): Promise<Map<string, number>> {
  const place = [shardOf(showId), showId];
  const known = await byKeys.run(db, [...place, batch.map(({ topic_key }) => topic_key)]);
  const ids = new Map(known.map(({ id, topic_key }) => [topic_key, id]));
  const unknown = batch.filter(({ topic_key }) => !ids.has(topic_key));
  if (unknown.length === 0) return ids;
  const alike = await byAddresses.run(db, [...place, unknown.map(({ address }) => address)]);
  const left = new Map(
    alike.filter((row) => !toldKeys.has(row.topic_key)).map((row) => [row.address, row.id]),
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
