import type { Queryable } from '../db/pool.ts';
import { type RowOf, statement } from '../db/statement.ts';

const COLUMNS = {
  station_id: 'int8',
  show_id: 'int8',
  starts_at: 'timestamptz',
  ends_at: 'timestamptz',
} as const;
const TITLED_COLUMNS = { ...COLUMNS, title: 'text', genre_id: 'int8?' } as const;

export type BroadcastRow = RowOf<typeof COLUMNS>;
export type TitledBroadcastRow = RowOf<typeof TITLED_COLUMNS>;

/** A week of five-minute bulletins; a schedule that is longer is cut, not refused. */
const MOST_BROADCASTS = 2016;

// No broadcast is longer than two days (a constraint), so what is on air now has started at most two days ago. The LIMIT of
// the inner query keeps PostgreSQL from walking all shows in the order of their ids to join them.
const ofStation = statement(
  'broadcasts-of-station',
  TITLED_COLUMNS,
  `SELECT b.station_id, b.show_id, b.starts_at, b.ends_at, s.title, s.genre_id
   FROM broadcasts b CROSS JOIN LATERAL (SELECT title, genre_id FROM shows WHERE id = b.show_id LIMIT 1) s
   WHERE b.station_id = $1 AND b.starts_at > $2::timestamptz - interval '2 days' AND b.starts_at < $3
     AND b.ends_at > $2
   ORDER BY b.starts_at LIMIT ${MOST_BROADCASTS}`,
);

/** What is on air at some moment from `from` until before `until`, in order. */
export const listBroadcastsOfStation = (
  db: Queryable,
  stationId: number,
  { from, until }: { from: Temporal.Instant; until: Temporal.Instant },
): Promise<TitledBroadcastRow[]> => ofStation.run(db, [stationId, from.toString(), until.toString()]);

const ofShow = statement(
  'broadcasts-of-show',
  COLUMNS,
  `SELECT station_id, show_id, starts_at, ends_at FROM broadcasts
   WHERE show_id = $1 AND starts_at > $2::timestamptz - interval '2 days' AND ends_at > $2
   ORDER BY starts_at, station_id LIMIT $3`,
);

/** When and where a show is on air next, beginning with what is on now. */
export const listBroadcastsOfShow = (
  db: Queryable,
  showId: number,
  { from, limit }: { from: Temporal.Instant; limit: number },
): Promise<BroadcastRow[]> => ofShow.run(db, [showId, from.toString(), limit]);
