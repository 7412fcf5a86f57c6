import type { Queryable } from '../db/pool.ts';
import { type RowOf, statement } from '../db/statement.ts';
import { type FormatMask, onlyFormats } from '../lib/stream-format.ts';
import { refreshSearch } from './refresh-search.ts';

const COLUMNS = {
  id: 'int8',
  title: 'text',
  hosts: 'text?',
  description: 'text?',
  homepage: 'text?',
  language_id: 'int8?',
  genre_id: 'int8?',
  country_id: 'int8?',
  popularity: 'int4',
  listed: 'bool',
  // What can be played of it: of its topics, and of stations that have it on air.
  formats: 'int4',
} as const;
const LIST = Object.keys(COLUMNS).join(', ');

export type ShowRow = RowOf<typeof COLUMNS>;

const byId = statement('show-by-id', COLUMNS, `SELECT ${LIST} FROM shows WHERE id = $1`);

export async function findShow(db: Queryable, id: number): Promise<ShowRow | undefined> {
  const [show] = await byId.run(db, [id]);
  return show;
}

const byIds = statement('shows-by-ids', COLUMNS, `SELECT ${LIST} FROM shows WHERE id = ANY ($1::bigint[])`);

/** Those of the ids that are shows, in no order. */
export const listShows = (db: Queryable, ids: readonly number[]): Promise<ShowRow[]> => byIds.run(db, [ids]);

/** Radios ask for offsets of their own choosing, so a page starts at a number and not after a show. */
export interface ShowRange {
  offset: number;
  limit: number;
  /** Only shows of which something can be played so; the others are not counted by the offset. */
  formats?: FormatMask | undefined;
}

/** For formats that few shows have, more of a genre or a language are not looked at. */
const MOST_LOOKED_AT = 3000;

/** The most popular that some formats play; without formats no more rows are looked at than are asked for. */
const playable = (columns: string, where: string, formats: string, count: string): string =>
  `SELECT * FROM (SELECT ${columns}, formats FROM shows WHERE ${where} AND listed ORDER BY popularity DESC, id
     LIMIT CASE WHEN ${formats} IS NULL THEN ${count} ELSE greatest(${MOST_LOOKED_AT}, ${count}) END) AS looked
   WHERE ${formats} IS NULL OR looked.formats & ${formats} <> 0 LIMIT ${count}`;

// Each genre's index gives its most popular, of which the page is cut: what is read grows with the page, not with the
// shows of the genres. The page is cut of the index alone, and then its rows are read, which are wide.
const ofGenres = statement(
  'shows-of-genres',
  COLUMNS,
  `WITH page AS MATERIALIZED (
     SELECT s.id FROM unnest($1::bigint[]) AS g (id) CROSS JOIN LATERAL (
       ${playable('id, popularity', 'genre_id = g.id', '$4::integer', '$2::bigint + $3::bigint')}
     ) AS s ORDER BY s.popularity DESC, s.id OFFSET $2 LIMIT $3)
   SELECT s.* FROM page AS p CROSS JOIN LATERAL (SELECT ${LIST} FROM shows WHERE id = p.id LIMIT 1) AS s
   ORDER BY s.popularity DESC, s.id`,
);

const ofGenresInLanguage = statement(
  'shows-of-genres-in-language',
  COLUMNS,
  `SELECT s.* FROM unnest($1::bigint[]) AS g (id) CROSS JOIN LATERAL (
     SELECT ${LIST} FROM shows WHERE genre_id = g.id AND listed AND language_id = $4
       AND ($5::integer IS NULL OR formats & $5 <> 0)
     ORDER BY popularity DESC, id LIMIT $2::bigint + $3::bigint
   ) AS s ORDER BY s.popularity DESC, s.id OFFSET $2 LIMIT $3`,
);

/** Listed shows of these genres, in a language when one is given; the most popular first. */
export const listShowsOfGenres = (
  db: Queryable,
  genreIds: readonly number[],
  { offset, limit, formats }: ShowRange,
  languageId?: number,
): Promise<ShowRow[]> =>
  languageId === undefined
    ? ofGenres.run(db, [genreIds, offset, limit, onlyFormats(formats)])
    : ofGenresInLanguage.run(db, [genreIds, offset, limit, languageId, onlyFormats(formats)]);

/** Listed shows of exactly this genre, the most popular first. */
export const listShowsOfGenre = (db: Queryable, genreId: number, range: ShowRange): Promise<ShowRow[]> =>
  listShowsOfGenres(db, [genreId], range);

const ofLanguage = statement(
  'shows-of-language',
  COLUMNS,
  `WITH page AS MATERIALIZED (
     SELECT s.id FROM (
       ${playable('id, popularity', 'language_id = $1', '$4::integer', '$2::bigint + $3::bigint')}
     ) AS s ORDER BY s.popularity DESC, s.id OFFSET $2 LIMIT $3)
   SELECT s.* FROM page AS p CROSS JOIN LATERAL (SELECT ${LIST} FROM shows WHERE id = p.id LIMIT 1) AS s
   ORDER BY s.popularity DESC, s.id`,
);

/** Listed shows in a language, the most popular first. */
export const listShowsOfLanguage = (
  db: Queryable,
  languageId: number,
  { offset, limit, formats }: ShowRange,
): Promise<ShowRow[]> => ofLanguage.run(db, [languageId, offset, limit, onlyFormats(formats)]);

const genresWithShows = statement(
  'genre-ids-with-shows',
  { id: 'int8' },
  `SELECT g.id FROM genres AS g
   CROSS JOIN LATERAL (${playable('id', 'genre_id = g.id', '$1::integer', '1')}) AS s ORDER BY g.position, g.id`,
);

/** The genres of which there is a listed show that formats play, finer ones not counted in. */
export async function idsOfGenresWithShows(db: Queryable, formats?: FormatMask): Promise<number[]> {
  const rows = await genresWithShows.run(db, [onlyFormats(formats)]);
  return rows.map(({ id }) => id);
}

const languagesWithShows = statement(
  'language-ids-with-shows',
  { id: 'int8' },
  `SELECT l.id FROM languages AS l
   CROSS JOIN LATERAL (${playable('id', 'language_id = l.id', '$1::integer', '1')}) AS s ORDER BY l.id`,
);

/** The languages in which there is a listed show that formats play. */
export async function idsOfLanguagesWithShows(db: Queryable, formats?: FormatMask): Promise<number[]> {
  const rows = await languagesWithShows.run(db, [onlyFormats(formats)]);
  return rows.map(({ id }) => id);
}

export interface NewShow {
  title: string;
  hosts?: string;
  description?: string;
  homepage?: string;
  /** Where its topics are read from, with the hash by which the feed is known again. */
  feed?: { address: string; key: string };
  languageId?: number;
  genreId?: number;
  countryId?: number;
  popularity?: number;
}

const add = statement(
  'show-add',
  { id: 'int8' },
  `INSERT INTO shows (title, hosts, description, homepage, feed_address, feed_key, language_id, genre_id, country_id,
     popularity)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (feed_key) DO NOTHING RETURNING id`,
);

/** The new show's id, by then findable; undefined when a show with the same feed is there already. */
export async function addShow(db: Queryable, show: NewShow): Promise<number | undefined> {
  const { title, hosts, description, homepage, feed, languageId, genreId, countryId, popularity = 0 } = show;
  const told = [
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
  const [added] = await add.run(db, [...told, popularity]);
  if (added) await refreshSearch(db);
  return added?.id;
}
