import { type FormatMask, onlyFormats } from '../../../lib/stream-format.ts';
import type { Queryable } from '../../db/pool.ts';
import { type RowOf, statement } from '../../db/statement.ts';

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
  // Formats of its topics and of the stations that have it on air.
  formats: 'int4',
} as const;
const LIST = Object.keys(COLUMNS).join(', ');

export type ShowRow = RowOf<typeof COLUMNS>;

export const findShow = statement('show-by-id', COLUMNS, `SELECT ${LIST} FROM shows WHERE id = $1`).first(
  (id: number) => [id],
);

/** Those of the ids that are shows, unordered. */
export const listShows = statement(
  'shows-by-ids',
  COLUMNS,
  `SELECT ${LIST} FROM shows WHERE id = ANY ($1::bigint[])`,
).all((ids: readonly number[]) => [ids]);

/** Radios request arbitrary offsets, so a page starts at a number and not after a show. */
export interface ShowRange {
  offset: number;
  limit: number;
  /** Only shows with something in these formats; the offset does not count the others. */
  formats?: FormatMask | undefined;
}

/** Limit of shows considered per genre or language, for rare formats. */
const MAX_SCANNED = 3000;

/** The most popular shows with one of the formats; without formats no more rows are read than requested. */
const playable = (columns: string, where: string, formats: string, count: string): string =>
  `SELECT * FROM (SELECT ${columns}, formats FROM shows WHERE ${where} AND listed ORDER BY popularity DESC, id
     LIMIT CASE WHEN ${formats} IS NULL THEN ${count} ELSE greatest(${MAX_SCANNED}, ${count}) END) AS looked
   WHERE ${formats} IS NULL OR looked.formats & ${formats} <> 0 LIMIT ${count}`;

// Each genre's index gives its most popular shows, from which the page is cut: the cost grows with the page, not with
// the shows of the genres. The page is cut from the index alone; its rows, which are wide, are read afterwards.
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

/** Listed shows of these genres, optionally in one language; the most popular first. */
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

/** Listed shows in a language, the most popular first. */
export const listShowsOfLanguage = statement(
  'shows-of-language',
  COLUMNS,
  `WITH page AS MATERIALIZED (
     SELECT s.id FROM (
       ${playable('id, popularity', 'language_id = $1', '$4::integer', '$2::bigint + $3::bigint')}
     ) AS s ORDER BY s.popularity DESC, s.id OFFSET $2 LIMIT $3)
   SELECT s.* FROM page AS p CROSS JOIN LATERAL (SELECT ${LIST} FROM shows WHERE id = p.id LIMIT 1) AS s
   ORDER BY s.popularity DESC, s.id`,
).all((languageId: number, { offset, limit, formats }: ShowRange) => [
  languageId,
  offset,
  limit,
  onlyFormats(formats),
]);

/** The genres with a listed show in these formats, not counting descendants. */
export const idsOfGenresWithShows = statement(
  'genre-ids-with-shows',
  { id: 'int8' },
  `SELECT g.id FROM genres AS g
   CROSS JOIN LATERAL (${playable('id', 'genre_id = g.id', '$1::integer', '1')}) AS s ORDER BY g.position, g.id`,
).values((formats?: FormatMask) => [onlyFormats(formats)]);

/** The same in a language, of its ten thousand most popular shows: those that follow rarely have another genre. */
export const idsOfGenresWithShowsIn = statement(
  'genre-ids-with-shows-in-language',
  { id: 'int8' },
  `SELECT id FROM genres WHERE id IN (SELECT genre_id FROM (
     ${playable('genre_id', 'language_id = $1', '$2::integer', '10000')}) AS s)
   ORDER BY position, id`,
).values((languageId: number, formats?: FormatMask) => [languageId, onlyFormats(formats)]);

/** The languages with a listed show in these formats. */
export const idsOfLanguagesWithShows = statement(
  'language-ids-with-shows',
  { id: 'int8' },
  `SELECT l.id FROM languages AS l
   CROSS JOIN LATERAL (${playable('id', 'language_id = l.id', '$1::integer', '1')}) AS s ORDER BY l.id`,
).values((formats?: FormatMask) => [onlyFormats(formats)]);

/** What a feed or a list says about a show. */
export interface ShowUpdate {
  title?: string;
  hosts?: string;
  description?: string;
  homepage?: string;
  /** ISO 639, as in `languages`. */
  language?: string;
  /** Slug of the taxonomy. */
  genre?: string;
  image?: string;
  popularity?: number;
  listed?: boolean;
}

type KnownShowUpdate = ShowUpdate & { id: number };

// Looked up row by row: a join would change the order, and new shows get ids in the order of their list.
const UPDATABLE = `SELECT v.*, (SELECT id FROM languages WHERE code = v.language) AS language_id,
    (SELECT id FROM genres WHERE slug = v.genre) AS genre_id
  FROM jsonb_to_recordset($1::jsonb) AS v (id bigint, feed_address text, feed_key uuid, title text, hosts text,
    description text, homepage text, language text, genre text, popularity integer, listed boolean)`;

const UPDATABLE_COLUMNS = [
  'title',
  'hosts',
  'description',
  'homepage',
  'language_id',
  'genre_id',
  'popularity',
  'listed',
];

/** `weigh` gives a column's new value; columns that an operator pinned stay. */
function updateText(weigh: (column: string) => string): string {
  const settled = UPDATABLE_COLUMNS.map(
    (column) => `CASE WHEN '${column}' = ANY (s.pinned) THEN s.${column} ELSE ${weigh(column)} END`,
  );
  return `UPDATE shows s SET (${UPDATABLE_COLUMNS.join(', ')}, updated_at) = ROW (${settled.join(', ')}, now())
   FROM (${UPDATABLE}) AS u WHERE s.id = ANY ($2::bigint[]) AND s.id = u.id
   AND (${UPDATABLE_COLUMNS.map((column) => `s.${column}`).join(', ')}) IS DISTINCT FROM (${settled.join(', ')})
   RETURNING s.id`;
}

const tell = statement(
  'shows-tell',
  { id: 'int8' },
  updateText((column) => `coalesce(u.${column}, s.${column})`),
);

// Lists count different audiences: the largest count wins.
const fill = statement(
  'shows-fill',
  { id: 'int8' },
  updateText((column) =>
    column === 'popularity' ? 'greatest(s.popularity, u.popularity)' : `coalesce(s.${column}, u.${column})`,
  ),
);

const imagesText = (onConflict: string): string => `INSERT INTO images AS i (kind, item_id, address)
  SELECT 'p', u.id, u.image FROM jsonb_to_recordset($1::jsonb) AS u (id bigint, image text) WHERE u.image IS NOT NULL
  ON CONFLICT (kind, item_id) DO ${onConflict} RETURNING item_id`;

const updateImages = statement(
  'show-images-tell',
  { item_id: 'int8' },
  imagesText(`UPDATE SET address = excluded.address WHERE NOT i.pinned AND i.address <> excluded.address`),
);

const fillImages = statement('show-images-fill', { item_id: 'int8' }, imagesText('NOTHING'));

/** Writes what shows' own feeds say, replacing earlier values; returns the ids of the shows that changed. */
export async function updateShows(db: Queryable, shows: readonly KnownShowUpdate[]): Promise<Set<number>> {
  const said = JSON.stringify(shows);
  const changed = await tell.run(db, [said, shows.map(({ id }) => id)]);
  const pictured = shows.some(({ image }) => image) ? await updateImages.run(db, [said]) : [];
  return new Set([...changed.map(({ id }) => id), ...pictured.map((row) => row.item_id)]);
}

/** Fills fields that are still empty from a list; returns the ids of the shows that changed. */
export async function fillShows(db: Queryable, shows: readonly KnownShowUpdate[]): Promise<Set<number>> {
  if (shows.length === 0) return new Set();
  const said = JSON.stringify(shows);
  const changed = await fill.run(db, [said, shows.map(({ id }) => id)]);
  const pictured = await fillImages.run(db, [said]);
  return new Set([...changed.map(({ id }) => id), ...pictured.map((row) => row.item_id)]);
}

export interface NewFedShow extends ShowUpdate {
  title: string;
  feedAddress: string;
  feedKey: string;
}

const showsAdd = statement(
  'shows-add',
  { id: 'int8', feed_key: 'uuid?' },
  `INSERT INTO shows (title, hosts, description, homepage, feed_address, feed_key, language_id, genre_id, popularity)
   SELECT title, hosts, description, homepage, feed_address, feed_key, language_id, genre_id, coalesce(popularity, 0)
   FROM (${UPDATABLE}) AS u ON CONFLICT (feed_key) DO NOTHING RETURNING id, feed_key`,
);

/** Ids of the new shows by the keys of their feeds, with their pictures already stored. */
export async function addShows(db: Queryable, shows: readonly NewFedShow[]): Promise<Map<string, number>> {
  if (shows.length === 0) return new Map();
  const said = shows.map(({ feedAddress, feedKey, ...show }) => ({
    ...show,
    feed_address: feedAddress,
    feed_key: feedKey,
  }));
  const rows = await showsAdd.run(db, [JSON.stringify(said)]);
  const ids = new Map(rows.map(({ id, feed_key }) => [feed_key ?? '', id]));
  const images = shows.map(({ feedKey, image }) => ({ id: ids.get(feedKey), image }));
  await fillImages.run(db, [JSON.stringify(images.filter(({ id }) => id !== undefined))]);
  return ids;
}

const byFeed = statement(
  'shows-by-feed',
  { id: 'int8', feed_key: 'uuid?' },
  'SELECT id, feed_key FROM shows WHERE feed_key = ANY ($1::uuid[])',
);

/** Ids of the shows with one of these feeds, by its key. */
export async function idsOfShowsByFeed(db: Queryable, keys: readonly string[]): Promise<Map<string, number>> {
  const rows = await byFeed.run(db, [keys]);
  return new Map(rows.map(({ id, feed_key }) => [feed_key ?? '', id]));
}
