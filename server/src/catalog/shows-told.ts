import type { Queryable } from '../db/pool.ts';
import { statement } from '../db/statement.ts';

/** What somebody tells of a show: its feed, or a list that names it. */
export interface ToldShow {
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

export type ToldKnownShow = ToldShow & { id: number };

// Looked up row by row: a join would shuffle the rows, and new shows are to be numbered in the order of their list.
const TOLD = `SELECT v.*, (SELECT id FROM languages WHERE code = v.language) AS language_id,
    (SELECT id FROM genres WHERE slug = v.genre) AS genre_id
  FROM jsonb_to_recordset($1::jsonb) AS v (id bigint, feed_address text, feed_key uuid, title text, hosts text,
    description text, homepage text, language text, genre text, popularity integer, listed boolean)`;

const COLUMNS = [
  'title',
  'hosts',
  'description',
  'homepage',
  'language_id',
  'genre_id',
  'popularity',
  'listed',
];

/** `weigh` gives what a column becomes; what an operator set by hand is pinned, and stays. */
function updateText(weigh: (column: string) => string): string {
  const settled = COLUMNS.map(
    (column) => `CASE WHEN '${column}' = ANY (s.pinned) THEN s.${column} ELSE ${weigh(column)} END`,
  );
  return `UPDATE shows s SET (${COLUMNS.join(', ')}, updated_at) = ROW (${settled.join(', ')}, now())
   FROM (${TOLD}) AS u WHERE s.id = ANY ($2::bigint[]) AND s.id = u.id
   AND (${COLUMNS.map((column) => `s.${column}`).join(', ')}) IS DISTINCT FROM (${settled.join(', ')})
   RETURNING s.id`;
}

const tell = statement(
  'shows-tell',
  { id: 'int8' },
  updateText((column) => `coalesce(u.${column}, s.${column})`),
);

// Lists count different crowds: the largest is believed.
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

const tellImages = statement(
  'show-images-tell',
  { item_id: 'int8' },
  imagesText(`UPDATE SET address = excluded.address WHERE NOT i.pinned AND i.address <> excluded.address`),
);

const fillImages = statement('show-images-fill', { item_id: 'int8' }, imagesText('NOTHING'));

/** Writes what their own feeds tell of shows, in place of what was known; ids of the shows that changed by it. */
export async function tellShows(db: Queryable, shows: readonly ToldKnownShow[]): Promise<Set<number>> {
  const told = JSON.stringify(shows);
  const changed = await tell.run(db, [told, shows.map(({ id }) => id)]);
  const pictured = shows.some(({ image }) => image) ? await tellImages.run(db, [told]) : [];
  return new Set([...changed.map(({ id }) => id), ...pictured.map((row) => row.item_id)]);
}

/** Adds what a list tells and nobody has told before; ids of the shows that changed by it. */
export async function fillShows(db: Queryable, shows: readonly ToldKnownShow[]): Promise<Set<number>> {
  if (shows.length === 0) return new Set();
  const told = JSON.stringify(shows);
  const changed = await fill.run(db, [told, shows.map(({ id }) => id)]);
  const pictured = await fillImages.run(db, [told]);
  return new Set([...changed.map(({ id }) => id), ...pictured.map((row) => row.item_id)]);
}

export interface NewFedShow extends ToldShow {
  title: string;
  feedAddress: string;
  feedKey: string;
}

const add = statement(
  'shows-add',
  { id: 'int8', feed_key: 'uuid?' },
  `INSERT INTO shows (title, hosts, description, homepage, feed_address, feed_key, language_id, genre_id, popularity)
   SELECT title, hosts, description, homepage, feed_address, feed_key, language_id, genre_id, coalesce(popularity, 0)
   FROM (${TOLD}) AS u ON CONFLICT (feed_key) DO NOTHING RETURNING id, feed_key`,
);

/** Ids of the new shows by the keys of their feeds, by then with their pictures. */
export async function addShows(db: Queryable, shows: readonly NewFedShow[]): Promise<Map<string, number>> {
  if (shows.length === 0) return new Map();
  const told = shows.map(({ feedAddress, feedKey, ...show }) => ({
    ...show,
    feed_address: feedAddress,
    feed_key: feedKey,
  }));
  const rows = await add.run(db, [JSON.stringify(told)]);
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

/** Ids of the shows that have one of these feeds, by its key. */
export async function idsOfShowsByFeed(db: Queryable, keys: readonly string[]): Promise<Map<string, number>> {
  const rows = await byFeed.run(db, [keys]);
  return new Map(rows.map(({ id, feed_key }) => [feed_key ?? '', id]));
}
