import type { Queryable } from '../db/pool.ts';
import { type RowOf, statement } from '../db/statement.ts';
import { shardOf } from '../lib/shard.ts';

const SHOW = {
  id: 'int8',
  title: 'text',
  hosts: 'text?',
  description: 'text?',
  homepage: 'text?',
  genre_id: 'int8?',
  language_code: 'text?',
  language_name: 'text?',
  country_code: 'text?',
  country_name: 'text?',
  has_topics: 'bool',
} as const;

export type ShowRow = RowOf<typeof SHOW>;

const show = statement(
  'describe-show',
  SHOW,
  `SELECT s.id, s.title, s.hosts, s.description, s.homepage, s.genre_id, l.code AS language_code,
     l.name AS language_name, c.code AS country_code, c.name AS country_name,
     EXISTS (SELECT FROM topics AS t WHERE t.shard = $2 AND t.show_id = $1) AS has_topics
   FROM shows AS s LEFT JOIN languages AS l ON l.id = s.language_id LEFT JOIN countries AS c ON c.id = s.country_id
   WHERE s.id = $1 AND s.listed`,
);

export async function findShow(db: Queryable, id: number): Promise<ShowRow | undefined> {
  const [row] = await show.run(db, [id, shardOf(id)]);
  return row;
}

const ON_AIR = {
  show_id: 'int8',
  title: 'text',
  genre_id: 'int8?',
  starts_at: 'timestamptz',
  ends_at: 'timestamptz',
} as const;

export type OnAirRow = RowOf<typeof ON_AIR>;

// No broadcast is longer than two days (a constraint). 500 are five-minute bulletins for a day and a half. The LIMIT of
// the inner query keeps PostgreSQL from walking all shows in the order of their ids to join them.
const onAir = statement(
  'describe-on-air',
  ON_AIR,
  `SELECT b.show_id, s.title, s.genre_id, b.starts_at, b.ends_at
   FROM broadcasts AS b CROSS JOIN LATERAL (SELECT title, genre_id FROM shows WHERE id = b.show_id LIMIT 1) AS s
   WHERE b.station_id = $1 AND b.starts_at > $2::timestamptz - interval '2 days'
     AND b.starts_at < $2::timestamptz + interval '36 hours' AND b.ends_at > $2
   ORDER BY b.starts_at LIMIT 500`,
);

/** What a station sends now and in the 36 hours after, in order. */
export const listOnAir = (db: Queryable, stationId: number, at: Temporal.Instant): Promise<OnAirRow[]> =>
  onAir.run(db, [stationId, at.toString()]);
