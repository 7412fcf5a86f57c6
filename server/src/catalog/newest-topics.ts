import type { Queryable } from '../db/pool.ts';
import { type RowOf, statement } from '../db/statement.ts';
import { type FormatMask, onlyFormats } from '../lib/stream-format.ts';
import type { ShowRange } from './shows.ts';

const COLUMNS = {
  id: 'int8',
  show_id: 'int8',
  show_title: 'text',
  title: 'text',
  stream_type: 'text',
  duration_seconds: 'int4?',
  published_at: 'timestamptz',
} as const;

/** A topic among those of other shows, with the title of its own. */
export type NewestTopicRow = RowOf<typeof COLUMNS>;

// Looked up for the few that are shown; the LIMIT keeps PostgreSQL from joining all shows in the order of their ids.
const TOLD = `SELECT n.topic_id AS id, n.show_id, s.title AS show_title, n.title, n.stream_type, n.duration_seconds,
     n.published_at
   FROM newest AS n CROSS JOIN LATERAL (SELECT title FROM shows WHERE id = n.show_id LIMIT 1) AS s
   ORDER BY n.published_at DESC, n.show_id`;
const LIST = 'show_id, topic_id, title, stream_type, duration_seconds, published_at, formats';

/** More are not looked at, for a language that few speak or a format that few have. */
const MOST_LOOKED_AT = 1000;

// Each genre's index gives its newest, of which the page is cut: what is read grows with the page, not with the genres.
// The page is cut of the index alone, and then its rows are read: a hundred genres have a hundred pages of them.
const ofGenres = statement(
  'newest-topics-of-genres',
  COLUMNS,
  `WITH page AS MATERIALIZED (
     SELECT n.show_id, n.published_at FROM unnest($1::bigint[]) AS g (id) CROSS JOIN LATERAL (
       SELECT show_id, published_at, language_id, formats FROM newest_topics WHERE genre_id = g.id AND listed
       ORDER BY published_at DESC, show_id
       LIMIT CASE WHEN $4::bigint IS NULL AND $5::integer IS NULL THEN $2::bigint + $3::bigint ELSE ${MOST_LOOKED_AT} END
     ) AS n WHERE ($4::bigint IS NULL OR n.language_id = $4) AND ($5::integer IS NULL OR n.formats & $5 <> 0)
     ORDER BY n.published_at DESC, n.show_id OFFSET $2 LIMIT $3),
   newest AS (
     SELECT n.* FROM page AS p CROSS JOIN LATERAL (
       SELECT ${LIST} FROM newest_topics WHERE show_id = p.show_id LIMIT 1) AS n)
   ${TOLD}`,
);

/** The newest topic of each of the shows that had one last, of these genres and in a language when one is given. */
export const listNewestTopicsOfGenres = (
  db: Queryable,
  genreIds: readonly number[],
  { offset, limit, formats }: ShowRange,
  languageId?: number,
): Promise<NewestTopicRow[]> => ofGenres.run(db, [genreIds, offset, limit, languageId, onlyFormats(formats)]);

/** The same of exactly one genre. */
export const listNewestTopicsOfGenre = (
  db: Queryable,
  genreId: number,
  range: ShowRange,
): Promise<NewestTopicRow[]> => listNewestTopicsOfGenres(db, [genreId], range);

/** Of a word that one topic in a hundred has, these hold enough; a rarer one has a short list in the index of words. */
const LATEST = 1000;
/** Of a word that few of the latest have, so many are looked at, wherever they lie. */
const MOST_OTHERS = 300;

// For a word that half of all titles have, the index of words would list them all before the first is read. So the
// latest are looked through first, whatever the words, and the index is asked only when they gave too few: PostgreSQL
// counts them before it starts, and for whole words only: all that begins with three letters are tens of thousands. The
// words stand in a subquery, where the planner does not look.
const byWords = statement(
  'newest-topics-by-words',
  COLUMNS,
  `WITH latest AS MATERIALIZED (
     SELECT ${LIST} FROM (
       SELECT ${LIST}, words FROM newest_topics WHERE listed ORDER BY published_at DESC, show_id LIMIT ${LATEST}
     ) AS l WHERE words @@ (SELECT $1::tsquery) AND ($4::integer IS NULL OR formats & $4 <> 0) LIMIT $2),
   others AS MATERIALIZED (
     SELECT ${LIST} FROM newest_topics WHERE listed AND words @@ (SELECT $3::tsquery)
       AND ($4::integer IS NULL OR formats & $4 <> 0) AND (SELECT count(*) FROM latest) < $2::bigint LIMIT ${MOST_OTHERS}),
   newest AS MATERIALIZED (
     SELECT * FROM (TABLE latest UNION TABLE others) AS found ORDER BY published_at DESC, show_id LIMIT $2)
   ${TOLD}`,
);

/**
 * Topics that are the newest of their shows and have these words in their own title or the show's, the latest first. The
 * last word as `typed` so far is looked for among the latest, `whole` among all.
 */
export const listNewestTopicsByWords = (
  db: Queryable,
  { typed, whole }: { typed: string; whole: string },
  { limit, formats }: { limit: number; formats?: FormatMask | undefined },
): Promise<NewestTopicRow[]> => byWords.run(db, [typed, limit, whole, onlyFormats(formats)]);
