import type { Queryable } from '../db/pool.ts';
import { statement } from '../db/statement.ts';
import { piecesOf, searchWords } from '../lib/search-words.ts';
import { shardOf } from '../lib/shard.ts';

// The bound is beyond every topic; it leads PostgreSQL to the index that has them in this order.
const newestOf = statement(
  'newest-topic-of-show',
  {
    id: 'int8',
    show_id: 'int8',
    title: 'text',
    stream_type: 'text',
    published_at: 'timestamptz',
    duration_seconds: 'int4?',
  },
  `SELECT id, show_id, title, stream_type, published_at, duration_seconds FROM topics
   WHERE shard = $2 AND show_id = $1 AND (published_at, id) < ('infinity', 9223372036854775807)
   ORDER BY published_at DESC, id DESC LIMIT 1`,
);

/** A topic that is the newest of its show. */
export interface NewestTopic {
  id: number;
  show_id: number;
  title: string;
  stream_type?: string;
  published_at: Temporal.Instant;
  duration_seconds: number | null;
}

const titles = statement(
  'show-titles',
  { id: 'int8', title: 'text' },
  'SELECT id, title FROM shows WHERE id = ANY ($1::bigint[])',
);

const TOLD = ['topic_id', 'title', 'stream_type', 'duration_seconds', 'published_at', 'words'];
const listOf = (table: string): string => TOLD.map((column) => `${table}.${column}`).join(', ');

const keep = statement(
  'newest-topics-keep',
  {},
  `INSERT INTO newest_topics AS n (show_id, genre_id, language_id, listed, ${TOLD.join(', ')})
   SELECT s.id, s.genre_id, s.language_id, s.listed, u.id, u.title, coalesce(u.stream_type, 'download'),
     u.duration_seconds, u.published_at, array_to_tsvector(ARRAY(SELECT jsonb_array_elements_text(u.words)))
   FROM jsonb_to_recordset($1::jsonb) AS u (show_id bigint, id bigint, title text, stream_type text,
     duration_seconds integer, published_at timestamptz, words jsonb) JOIN shows AS s ON s.id = u.show_id
   WHERE s.id = ANY ($2::bigint[])
   ON CONFLICT (show_id) DO UPDATE SET (${TOLD.join(', ')}) = (${listOf('excluded')})
   WHERE (${listOf('n')}) IS DISTINCT FROM (${listOf('excluded')})`,
);

/** Longer titles say no more, and a word costs as much as a row. */
const MOST_WORDS = 60;

/**
 * Writes down which topic of a show is the newest, and the words it is found by. Comes after whatever changed them, in
 * the same transaction.
 */
export async function keepNewestTopic(db: Queryable, showId: number): Promise<void> {
  await keepNewestTopics(db, await newestOf.run(db, [showId, shardOf(showId)]));
}

/** The same of shows whose newest topics are known. */
export async function keepNewestTopics(db: Queryable, topics: readonly NewestTopic[]): Promise<void> {
  if (topics.length === 0) return;
  const showIds = topics.map(({ show_id }) => show_id);
  const shows = new Map((await titles.run(db, [showIds])).map(({ id, title }) => [id, title]));
  const rows = topics.map((topic) => ({
    ...topic,
    words: wordsOf(topic.title, shows.get(topic.show_id) ?? ''),
  }));
  await keep.run(db, [JSON.stringify(rows), showIds]);
}

/** The newest of each show. */
export function newestOfEach(topics: readonly NewestTopic[]): NewestTopic[] {
  const newest = new Map<number, NewestTopic>();
  for (const topic of topics) {
    const known = newest.get(topic.show_id);
    if (!known || isNewer(topic, known)) newest.set(topic.show_id, topic);
  }
  return [...newest.values()];
}

function isNewer(topic: NewestTopic, than: NewestTopic): boolean {
  const order = Temporal.Instant.compare(topic.published_at, than.published_at);
  return order > 0 || (order === 0 && topic.id > than.id);
}

function wordsOf(...texts: string[]): string[] {
  const words = texts.flatMap(searchWords).slice(0, MOST_WORDS);
  return [...new Set(words.flatMap(piecesOf))];
}
