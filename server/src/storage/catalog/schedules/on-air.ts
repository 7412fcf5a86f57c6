import { type Clock, systemClock } from '../../../lib/clock.ts';
import { Fault } from '../../../lib/fault.ts';
import { ReadThrough } from '../../cache/read-through.ts';
import type { Queryable } from '../../db/pool.ts';
import { type RowOf, statement } from '../../db/statement.ts';

const COLUMNS = { station_id: 'int8', show_id: 'int8', title: 'text' } as const;

/** The show that a station has on air. */
export type OnAirRow = RowOf<typeof COLUMNS>;

// Of two that overlap the later: a bulletin inside a long show is what is heard. No broadcast exceeds two days.
const now = statement(
  'stations-on-air',
  COLUMNS,
  `SELECT b.station_id, b.show_id, s.title FROM unnest($1::bigint[]) AS station (id)
   CROSS JOIN LATERAL (SELECT station_id, show_id FROM broadcasts WHERE station_id = station.id
     AND starts_at > $2::timestamptz - interval '2 days' AND starts_at <= $2 AND ends_at > $2
     ORDER BY starts_at DESC LIMIT 1) AS b
   CROSS JOIN LATERAL (SELECT title FROM shows WHERE id = b.show_id LIMIT 1) AS s`,
);

/** The shows on air, by station, for those stations that have a schedule. */
export async function listOnAir(
  db: Queryable,
  stationIds: readonly number[],
  at: Temporal.Instant,
): Promise<Map<number, OnAirRow>> {
  const rows = stationIds.length > 0 ? await now.run(db, [stationIds, at.toString()]) : [];
  return new Map(rows.map((row) => [row.station_id, row]));
}

type OnAir = ReadonlyMap<number, OnAirRow>;

/** A show may be displayed this much too long. */
const FRESH_MS = 30_000;
/** Optional extras must not delay a response longer than this. */
const DEADLINE_MS = 250;
const NOTHING: OnAir = new Map();

/** What is on air on the stations of frequently requested lists; nothing while the database is unreachable. */
export class OnAirLists {
  readonly #lists: ReadThrough<OnAir>;

  constructor(db: Queryable, clock: Clock = systemClock) {
    this.#lists = new ReadThrough<OnAir>({
      load: (ids) => listOnAir(db, ids.split(',').map(Number), clock.now()),
      most: 50_000,
      weightOf: ({ size }) => size,
      freshMs: FRESH_MS,
      staleMs: FRESH_MS,
      deadlineMs: DEADLINE_MS,
    });
  }

  async of(stationIds: readonly number[]): Promise<OnAir> {
    if (stationIds.length === 0) return NOTHING;
    try {
      return await this.#lists.get(stationIds.join());
    } catch (error) {
      if (error instanceof Fault) return NOTHING;
      throw error;
    }
  }
}

/**
 * The stations with broadcasts, by id, after `after`. Skips from one station to the next in the primary key: one step
 * per station with broadcasts, however many broadcasts each has. A DISTINCT would read them all.
 */
export const idsOfScheduledStations = statement(
  'stations-with-broadcasts',
  { station_id: 'int8' },
  `WITH RECURSIVE scheduled (station_id, place) AS (
     (SELECT station_id, 1 FROM broadcasts WHERE station_id > $1 ORDER BY station_id LIMIT 1)
     UNION ALL
     SELECT next.station_id, place + 1 FROM scheduled CROSS JOIN LATERAL (SELECT b.station_id FROM broadcasts b
       WHERE b.station_id > scheduled.station_id ORDER BY b.station_id LIMIT 1) AS next
     WHERE place < $2)
   SELECT station_id FROM scheduled`,
).values(({ after, limit }: { after: number; limit: number }) => [after, limit]);

const AIR_TIME_COLUMNS = {
  station_id: 'int8',
  show_id: 'int8?',
  title: 'text?',
  ends_at: 'timestamptz?',
  next_at: 'timestamptz?',
} as const;

/** What a station has on air, when that ends, and when something else begins, possibly inside it. */
export type AirTimeRow = RowOf<typeof AIR_TIME_COLUMNS>;

/** One row per station, whether it has anything on air or not. The current show is chosen as in `stations-on-air`. */
export const listAirTimes = statement(
  'station-air-times',
  AIR_TIME_COLUMNS,
  `SELECT station.id AS station_id, b.show_id, s.title, b.ends_at, next.starts_at AS next_at
   FROM unnest($1::bigint[]) AS station (id)
   LEFT JOIN LATERAL (SELECT show_id, ends_at FROM broadcasts WHERE station_id = station.id
     AND starts_at > $2::timestamptz - interval '2 days' AND starts_at <= $2 AND ends_at > $2
     ORDER BY starts_at DESC LIMIT 1) AS b ON true
   LEFT JOIN LATERAL (SELECT title FROM shows WHERE id = b.show_id LIMIT 1) AS s ON true
   LEFT JOIN LATERAL (SELECT starts_at FROM broadcasts WHERE station_id = station.id AND starts_at > $2
     ORDER BY starts_at LIMIT 1) AS next ON true`,
).all((stationIds: readonly number[], at: Temporal.Instant) => [stationIds, at.toString()]);
