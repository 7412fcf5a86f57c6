import type { Queryable } from '../db/pool.ts';
import { type RowOf, statement } from '../db/statement.ts';

// From one station to the next in the primary key: as many steps as there are stations with broadcasts, however many
// broadcasts each has. A DISTINCT would read them all.
const scheduled = statement(
  'stations-with-broadcasts',
  { station_id: 'int8' },
  `WITH RECURSIVE scheduled (station_id, place) AS (
     (SELECT station_id, 1 FROM broadcasts WHERE station_id > $1 ORDER BY station_id LIMIT 1)
     UNION ALL
     SELECT next.station_id, place + 1 FROM scheduled CROSS JOIN LATERAL (SELECT b.station_id FROM broadcasts b
       WHERE b.station_id > scheduled.station_id ORDER BY b.station_id LIMIT 1) AS next
     WHERE place < $2)
   SELECT station_id FROM scheduled`,
);

/** The stations that have broadcasts, by id, from behind `after`. */
export async function idsOfScheduledStations(
  db: Queryable,
  { after, limit }: { after: number; limit: number },
): Promise<number[]> {
  const rows = await scheduled.run(db, [after, limit]);
  return rows.map(({ station_id: id }) => id);
}

const COLUMNS = {
  station_id: 'int8',
  show_id: 'int8?',
  title: 'text?',
  ends_at: 'timestamptz?',
  next_at: 'timestamptz?',
} as const;

/** What a station has on air, when that ends, and when something else begins, be it inside of that. */
export type AirTimeRow = RowOf<typeof COLUMNS>;

// What is on is found as in on-air.ts.
const airTimes = statement(
  'station-air-times',
  COLUMNS,
  `SELECT station.id AS station_id, b.show_id, s.title, b.ends_at, next.starts_at AS next_at
   FROM unnest($1::bigint[]) AS station (id)
   LEFT JOIN LATERAL (SELECT show_id, ends_at FROM broadcasts WHERE station_id = station.id
     AND starts_at > $2::timestamptz - interval '2 days' AND starts_at <= $2 AND ends_at > $2
     ORDER BY starts_at DESC LIMIT 1) AS b ON true
   LEFT JOIN LATERAL (SELECT title FROM shows WHERE id = b.show_id LIMIT 1) AS s ON true
   LEFT JOIN LATERAL (SELECT starts_at FROM broadcasts WHERE station_id = station.id AND starts_at > $2
     ORDER BY starts_at LIMIT 1) AS next ON true`,
);

/** A row for each of the stations, whether it has anything on air or not. */
export const listAirTimes = (
  db: Queryable,
  stationIds: readonly number[],
  at: Temporal.Instant,
): Promise<AirTimeRow[]> => airTimes.run(db, [stationIds, at.toString()]);
