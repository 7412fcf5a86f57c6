import type { Queryable } from '../../db/pool.ts';
import { type RowOf, statement } from '../../db/statement.ts';
import taxonomy from './genre-taxonomy.json' with { type: 'json' };
import { bumpCatalogue } from './version.ts';

// Groups that stations are listed under: genres, languages and networks.

const GENRE_COLUMNS = { id: 'int8', parent_id: 'int8?', slug: 'text', name: 'text' } as const;

export type GenreRow = RowOf<typeof GENRE_COLUMNS>;

/** Every genre, in the order in which menus show them; there are some hundreds. */
export const listGenres = statement(
  'genres',
  GENRE_COLUMNS,
  'SELECT id, parent_id, slug, name FROM genres ORDER BY position, id',
).all();

const ensure = statement(
  'genres-ensure',
  { id: 'int8' },
  `INSERT INTO genres (id, parent_id, slug, name, position)
   SELECT id, parent_id, slug, name, position
   FROM jsonb_to_recordset($1::jsonb) AS t (id bigint, parent_id bigint, slug text, name text, position integer)
   ON CONFLICT (id) DO UPDATE
   SET parent_id = excluded.parent_id, slug = excluded.slug, name = excluded.name, position = excluded.position
   WHERE (genres.parent_id, genres.slug, genres.name, genres.position)
     IS DISTINCT FROM (excluded.parent_id, excluded.slug, excluded.name, excluded.position)
   RETURNING id`,
);

/**
 * Updates the table to the built-in taxonomy; run inside a transaction. Returns how many genres were added or changed.
 * A genre removed from the taxonomy stays, since stations and presets may refer to it.
 */
export async function ensureGenres(client: Queryable): Promise<number> {
  const idOf = new Map(taxonomy.genres.map(({ slug, id }) => [slug, id]));
  const rows = taxonomy.genres.map(({ id, slug, name, parent }, position) => {
    const parentId = parent === null ? null : idOf.get(parent);
    if (parentId === undefined) throw new Error(`genre ${slug} has an unknown parent ${parent}`);
    return { id, parent_id: parentId, slug, name, position };
  });
  const changed = await ensure.run(client, [JSON.stringify(rows)]);
  if (changed.length > 0) await bumpCatalogue(client);
  return changed.length;
}

const LANGUAGE_COLUMNS = { id: 'int8', code: 'text', name: 'text' } as const;

export type LanguageRow = RowOf<typeof LANGUAGE_COLUMNS>;

/** Every language, by name; there are some hundreds. */
export const listLanguages = statement(
  'languages',
  LANGUAGE_COLUMNS,
  'SELECT id, code, name FROM languages ORDER BY name, id',
).all();

const AFFILIATE_COLUMNS = { id: 'int8', name: 'text', homepage: 'text?' } as const;

export type AffiliateRow = RowOf<typeof AFFILIATE_COLUMNS>;

/** Every network; there are some thousands in the world. */
export const listAffiliates = statement(
  'affiliates',
  AFFILIATE_COLUMNS,
  'SELECT id, name, homepage FROM affiliates ORDER BY id LIMIT 100000',
).all();
