import { shardOf } from '../../../lib/ids.ts';
import { piecesOf, searchWords } from '../../../lib/search-words.ts';
import { type FormatMask, onlyFormats } from '../../../lib/stream-format.ts';
import type { Queryable } from '../../db/pool.ts';
import { type RowOf, statement } from '../../db/statement.ts';
import type { ShowRange } from './shows.ts';

export const NEWEST_COLUMNS = {
  id: 'int8',
  show_id: 'int8',
  title: 'text',
  stream_type: 'text',
  duration_seconds: 'int4?',
  published_at: 'timestamptz',
} as const;

const COLUMNS = { ...NEWEST_COLUMNS, show_title: 'text' } as const;

/** A topic in a list of several shows, with the title of its show. */
export type NewestTopicRow = RowOf<typeof COLUMNS>;

// Looked up only for the displayed rows; the LIMIT keeps PostgreSQL from joining all shows in order of id.
const UPDATABLE = `SELECT n.topic_id AS id, n.show_id, s.title AS show_title, n.title, n.stream_type, n.duration_seconds,
     n.published_at
   FROM newest AS n CROSS JOIN LATERAL (SELECT title FROM shows WHERE id = n.show_id LIMIT 1) AS s
   ORDER BY n.published_at DESC, n.show_id`;
const LIST = 'show_id, topic_id, title, stream_type, duration_seconds, published_at, formats';

/** Limit for rare languages and formats. */
const MAX_SCANNED = 1000;

/**
 * The newest topic of each of the most recently updated shows of these genres, optionally in one language. Each
 * genre's index gives its newest topics, from which the page is cut: the cost grows with the page, not with the
 * genres. The page is cut from the index alone, and its rows are read afterwards: a hundred genres give a hundred
 * pages of candidates.
 */
export const listNewestTopicsOfGenres = statement(
  'newest-topics-of-genres',
  COLUMNS,
  `WITH page AS MATERIALIZED (
     SELECT n.show_id, n.published_at FROM unnest($1::bigint[]) AS g (id) CROSS JOIN LATERAL (
       SELECT show_id, published_at, language_id, formats FROM newest_topics WHERE genre_id = g.id AND listed
       ORDER BY published_at DESC, show_id
       LIMIT CASE WHEN $4::bigint IS NULL AND $5::integer IS NULL THEN $2::bigint + $3::bigint ELSE ${MAX_SCANNED} END
     ) AS n WHERE ($4::bigint IS NULL OR n.language_id = $4) AND ($5::integer IS NULL OR n.formats & $5 <> 0)
     ORDER BY n.published_at DESC, n.show_id OFFSET $2 LIMIT $3),
   newest AS (
     SELECT n.* FROM page AS p CROSS JOIN LATERAL (
       SELECT ${LIST} FROM newest_topics WHERE show_id = p.show_id LIMIT 1) AS n)
   ${UPDATABLE}`,
).all((genreIds: readonly number[], { offset, limit, formats }: ShowRange, languageId?: number) => [
  genreIds,
  offset,
  limit,
  languageId,
  onlyFormats(formats),
]);

/** The same for exactly one genre. */
/** Enough for a word that one topic in a hundred has; a rarer word has a short list in the word index. */
const LATEST = 1000;
/** For a word that few of the latest topics have, this many others are considered, whatever their age. */
const MAX_OTHERS = 300;

/**
 * Newest topics of their shows with these words in their own title or the show's, the latest first. The last word as
 * `typed` so far is searched among the latest, `whole` among all. For a word in half of all titles, the word index
 * would list them all before the first row is read. So the latest topics are scanned first, whatever the words, and
 * the index is used only if they gave too few: PostgreSQL counts them before it starts. It is used for whole words
 * only: a three-letter prefix matches tens of thousands. The words are in a subquery, hidden from the planner.
 */
export const listNewestTopicsByWords = statement(
  'newest-topics-by-words',
  COLUMNS,
  `WITH latest AS MATERIALIZED (
     SELECT ${LIST} FROM (
       SELECT ${LIST}, words FROM newest_topics WHERE listed ORDER BY published_at DESC, show_id LIMIT ${LATEST}
     ) AS l WHERE words @@ (SELECT $1::tsquery) AND ($4::integer IS NULL OR formats & $4 <> 0) LIMIT $2),
   others AS MATERIALIZED (
     SELECT ${LIST} FROM newest_topics WHERE listed AND words @@ (SELECT $3::tsquery)
       AND ($4::integer IS NULL OR formats & $4 <> 0) AND (SELECT count(*) FROM latest) < $2::bigint LIMIT ${MAX_OTHERS}),
   newest AS MATERIALIZED (
     SELECT * FROM (TABLE latest UNION TABLE others) AS found ORDER BY published_at DESC, show_id LIMIT $2)
   ${UPDATABLE}`,
).all(
  (
    { typed, whole }: { typed: string; whole: string },
    { limit, formats }: { limit: number; formats?: FormatMask | undefined },
  ) => [typed, limit, whole, onlyFormats(formats)],
);

// The bound is greater than every topic; it makes PostgreSQL use the index with this order.
const newestOf = statement(
  'newest-topic-of-show',
  NEWEST_COLUMNS,
  `SELECT id, show_id, title, stream_type, published_at, duration_seconds FROM topics
   WHERE shard = $2 AND show_id = $1 AND (published_at, id) < ('infinity', 9223372036854775807)
   ORDER BY published_at DESC, id DESC LIMIT 1`,
);

/** The newest topic of a show. */
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

const KEPT = ['topic_id', 'title', 'stream_type', 'duration_seconds', 'published_at', 'words'];
const listOf = (table: string): string => KEPT.map((column) => `${table}.${column}`).join(', ');

const keep = statement(
  'newest-topics-keep',
  {},
  `INSERT INTO newest_topics AS n (show_id, genre_id, language_id, listed, ${KEPT.join(', ')})
   SELECT s.id, s.genre_id, s.language_id, s.listed, u.id, u.title, coalesce(u.stream_type, 'download'),
     u.duration_seconds, u.published_at, array_to_tsvector(ARRAY(SELECT jsonb_array_elements_text(u.words)))
   FROM jsonb_to_recordset($1::jsonb) AS u (show_id bigint, id bigint, title text, stream_type text,
     duration_seconds integer, published_at timestamptz, words jsonb) JOIN shows AS s ON s.id = u.show_id
   WHERE s.id = ANY ($2::bigint[])
   ON CONFLICT (show_id) DO UPDATE SET (${KEPT.join(', ')}) = (${listOf('excluded')})
   WHERE (${listOf('n')}) IS DISTINCT FROM (${listOf('excluded')})`,
);

/** Longer titles add nothing, and a word costs as much as a row. */
const MAX_WORDS = 60;

/**
 * Stores which topic of a show is the newest, and its search words. Call it after changing topics, in the same
 * transaction.
 */
export async function keepNewestTopic(db: Queryable, showId: number): Promise<void> {
  await keepNewestTopics(db, await newestOf.run(db, [showId, shardOf(showId)]));
}

/** The same for shows whose newest topics are known. */
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
  const words = texts.flatMap(searchWords).slice(0, MAX_WORDS);
  return [...new Set(words.flatMap(piecesOf))];
}
