import { foldText } from '../../../lib/search-words.ts';
import type { Queryable } from '../../db/pool.ts';
import { statement } from '../../db/statement.ts';

const MAX_KEY_LENGTH = 300;

/** The key by which titles of a station's shows are compared. */
export const titleKey = (title: string): string =>
  (foldText(title) || title.toLowerCase()).slice(0, MAX_KEY_LENGTH);

/** What a station's schedule says about a show. */
export interface StationShow {
  title: string;
  hosts?: string | undefined;
  description?: string | undefined;
  homepage?: string | undefined;
  genreId?: number | undefined;
  image?: string | undefined;
}

const known = statement(
  'station-shows-by-key',
  { title_key: 'text', show_id: 'int8' },
  'SELECT title_key, show_id FROM station_shows WHERE station_id = $1 AND title_key = ANY ($2::text[])',
);

/** A station has some hundreds of shows; beyond this they are found by their keys alone. */
const MAX_ON_AIR = 2000;

const onAir = statement(
  'station-shows-on-air',
  { id: 'int8', title: 'text' },
  `SELECT s.id, s.title
   FROM (SELECT DISTINCT show_id FROM broadcasts WHERE station_id = $1 LIMIT ${MAX_ON_AIR}) AS b
   CROSS JOIN LATERAL (SELECT id, title FROM shows WHERE id = b.show_id LIMIT 1) AS s ORDER BY s.id`,
);

const add = statement(
  'station-shows-add',
  { id: 'int8', title: 'text' },
  `INSERT INTO shows (title, language_id, country_id)
   SELECT u.title, (SELECT language_id FROM station_languages WHERE station_id = $1 ORDER BY position LIMIT 1),
     (SELECT country_id FROM stations WHERE id = $1)
   FROM unnest($2::text[]) AS u (title) RETURNING id, title`,
);

const remember = statement(
  'station-shows-remember',
  {},
  `INSERT INTO station_shows (station_id, title_key, show_id)
   SELECT $1, u.title_key, u.show_id FROM unnest($2::text[], $3::bigint[]) AS u (title_key, show_id)
   ON CONFLICT (station_id, title_key) DO NOTHING`,
);

const pinnedOr = (column: string): string =>
  `CASE WHEN '${column}' = ANY (s.pinned) THEN s.${column}
     WHEN s.feed_key IS NULL THEN coalesce(u.${column}, s.${column}) ELSE coalesce(s.${column}, u.${column}) END`;
const UPDATABLE = ['hosts', 'description', 'homepage', 'genre_id'] as const;

// A feed is more reliable than a schedule, which then only fills empty fields.
const tell = statement(
  'station-shows-tell',
  {},
  `UPDATE shows AS s SET (${UPDATABLE.join(', ')}, updated_at) = (${UPDATABLE.map(pinnedOr).join(', ')}, now())
   FROM jsonb_to_recordset($1::jsonb) AS u (id bigint, hosts text, description text, homepage text, genre_id bigint)
   WHERE s.id = u.id AND (${UPDATABLE.map((column) => `s.${column}`).join(', ')})
     IS DISTINCT FROM (${UPDATABLE.map(pinnedOr).join(', ')})`,
);

const showImages = statement(
  'station-shows-images',
  {},
  `INSERT INTO images (kind, item_id, address)
   SELECT 'p', u.id, u.address FROM unnest($1::bigint[], $2::text[]) AS u (id, address)
   ON CONFLICT (kind, item_id) DO UPDATE SET address = excluded.address
   WHERE NOT images.pinned AND images.address <> excluded.address`,
);

/**
 * The ids of a station's shows by the keys of their titles: existing ones, else new ones; all updated from the
 * schedule. Runs in a transaction that locks the station's schedule, so that no one else adds the same ones.
 */
export async function nameShows(
  client: Queryable,
  stationId: number,
  shows: ReadonlyMap<string, StationShow>,
): Promise<{ ids: Map<string, number>; added: number }> {
  const keys = [...shows.keys()];
  const rows = await known.run(client, [stationId, keys]);
  const ids = new Map(rows.map(({ title_key: key, show_id: id }) => [key, id]));
  if (ids.size < keys.length)
    for (const { id, title } of await onAir.run(client, [stationId])) take(ids, shows, title, id);
  const missing = [...shows].filter(([key]) => !ids.has(key)).map(([, { title }]) => title);
  if (missing.length > 0)
    for (const { id, title } of await add.run(client, [stationId, missing])) take(ids, shows, title, id);
  await remember.run(client, [stationId, [...ids.keys()], [...ids.values()]]);
  await updateAll(client, ids, shows);
  return { ids, added: missing.length };
}

function take(
  ids: Map<string, number>,
  shows: ReadonlyMap<string, StationShow>,
  title: string,
  id: number,
): void {
  const key = titleKey(title);
  if (shows.has(key) && !ids.has(key)) ids.set(key, id);
}

async function updateAll(
  client: Queryable,
  ids: ReadonlyMap<string, number>,
  shows: ReadonlyMap<string, StationShow>,
): Promise<void> {
  const given = [...shows].map(([key, show]) => ({ ...show, id: ids.get(key) }));
  const rows = given.map(({ id, hosts, description, homepage, genreId }) => ({
    id,
    hosts,
    description,
    homepage,
    genre_id: genreId,
  }));
  await tell.run(client, [JSON.stringify(rows)]);
  const pictured = given.filter(({ image }) => image !== undefined);
  await showImages.run(client, [pictured.map(({ id }) => id), pictured.map(({ image }) => image)]);
}
