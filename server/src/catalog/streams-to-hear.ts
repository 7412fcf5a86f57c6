import type { Queryable } from '../db/pool.ts';
import { type RowOf, statement } from '../db/statement.ts';

const COLUMNS = { id: 'int8', station_id: 'int8', address: 'text' } as const;

/** A stream in which the song of its station may be named. */
export type StreamToHear = RowOf<typeof COLUMNS>;

/** One that does not answer has two to stand in for it. */
const MOST_OF_STATION = 3;

// Of two that are as likely to play the smaller: less comes before the title does.
const toHear = statement(
  'streams-to-hear',
  COLUMNS,
  `SELECT s.id, s.station_id, s.address FROM unnest($1::bigint[]) AS wanted (id)
   CROSS JOIN LATERAL (
     SELECT t.id, t.station_id, t.address, coalesce(c.verdict, 'plays') = 'plays' AS plays,
       coalesce(c.standing, t.reliability) AS standing, t.bitrate
     FROM streams AS t LEFT JOIN stream_checks AS c ON c.stream_id = t.id
     WHERE t.station_id = wanted.id AND t.listed
     ORDER BY plays DESC, standing DESC, t.bitrate, t.id LIMIT ${MOST_OF_STATION}
   ) AS s
   ORDER BY s.station_id, s.plays DESC, s.standing DESC, s.bitrate, s.id`,
);

/** The best streams of each of these stations, best first. */
export async function listStreamsToHear(
  db: Queryable,
  stationIds: readonly number[],
): Promise<ReadonlyMap<number, readonly StreamToHear[]>> {
  const rows = await toHear.run(db, [stationIds]);
  return Map.groupBy(rows, ({ station_id: stationId }) => stationId);
}
