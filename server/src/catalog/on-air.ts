import { ReadThrough } from '../cache/read-through.ts';
import type { Queryable } from '../db/pool.ts';
import { type RowOf, statement } from '../db/statement.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { Fault } from '../lib/fault.ts';

const COLUMNS = { station_id: 'int8', show_id: 'int8', title: 'text' } as const;

/** The show that a station has on air. */
export type OnAirRow = RowOf<typeof COLUMNS>;

// Of two that overlap the later: a bulletin inside a long show is what is heard. No broadcast is longer than two days.
const now = statement(
  'stations-on-air',
  COLUMNS,
  `SELECT b.station_id, b.show_id, s.title FROM unnest($1::bigint[]) AS station (id)
   CROSS JOIN LATERAL (SELECT station_id, show_id FROM broadcasts WHERE station_id = station.id
     AND starts_at > $2::timestamptz - interval '2 days' AND starts_at <= $2 AND ends_at > $2
     ORDER BY starts_at DESC LIMIT 1) AS b
   CROSS JOIN LATERAL (SELECT title FROM shows WHERE id = b.show_id LIMIT 1) AS s`,
);

/** What those of the stations have on air that have a schedule, by station. */
export async function listOnAir(
  db: Queryable,
  stationIds: readonly number[],
  at: Temporal.Instant,
): Promise<Map<number, OnAirRow>> {
  const rows = stationIds.length > 0 ? await now.run(db, [stationIds, at.toString()]) : [];
  return new Map(rows.map((row) => [row.station_id, row]));
}

type OnAir = ReadonlyMap<number, OnAirRow>;

/** A show may be told so much too long. */
const FRESH_MS = 30_000;
/** Nobody is kept waiting longer for what is said under a name. */
const DEADLINE_MS = 250;
const NOTHING: OnAir = new Map();

/** What is on air on the stations of lists that are asked for again and again; nothing while the database is away. */
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
