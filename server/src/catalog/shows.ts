import type { Queryable } from '../db/pool.ts';
import { type RowOf, statement } from '../db/statement.ts';

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
} as const;
const LIST = Object.keys(COLUMNS).join(', ');

export type ShowRow = RowOf<typeof COLUMNS>;

const byId = statement('show-by-id', COLUMNS, `SELECT ${LIST} FROM shows WHERE id = $1`);

export async function findShow(db: Queryable, id: number): Promise<ShowRow | undefined> {
  const [show] = await byId.run(db, [id]);
  return show;
}

// Radios ask for offsets of their own choosing, so a page starts at a number and not after a show.
const ofGenre = statement(
  'shows-of-genre',
  COLUMNS,
  `SELECT ${LIST} FROM shows WHERE genre_id = $1 AND listed ORDER BY popularity DESC, id OFFSET $2 LIMIT $3`,
);

/** Listed shows of exactly this genre, the most popular first. */
export const listShowsOfGenre = (
  db: Queryable,
  genreId: number,
  { offset, limit }: { offset: number; limit: number },
): Promise<ShowRow[]> => ofGenre.run(db, [genreId, offset, limit]);

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

/** The new show's id; undefined when a show with the same feed is there already. */
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
  return added?.id;
}
