import type { Queryable } from '../../db/pool.ts';
import { type RowOf, statement } from '../../db/statement.ts';

const COLUMNS = {
  id: 'int8',
  station_id: 'int8',
  address: 'text',
  resolved_address: 'text?',
  format: 'text?',
  playlist: 'text?',
  bitrate: 'int4',
  reliability: 'int2',
  last_seen: 'date?',
  listed: 'bool',
  pinned: 'text[]',
} as const;

/** All streams of a station, including hidden ones, the most reliable first. */
export const listStreamsOfStation = statement(
  'streams-of-station',
  COLUMNS,
  `SELECT ${Object.keys(COLUMNS).join(', ')} FROM streams
   WHERE station_id = $1 ORDER BY reliability DESC, bitrate DESC, id`,
).all((stationId: number) => [stationId]);

/**
 * The stream at an address, by the key that imports use (none: the nil UUID) or by its exact text. The address from
 * the source, its target according to the source, and its target according to a check. Radios are sent only to listed
 * streams; an unlisted one may still have the address that a listed one leads to.
 */
export const findStreamByAddress = statement(
  'stream-by-address',
  { id: 'int8', station_id: 'int8' },
  `SELECT id, station_id FROM (
     (SELECT 1 AS place, id, station_id, listed FROM streams WHERE address_key = $1)
     UNION ALL (SELECT 2, id, station_id, listed FROM streams WHERE resolved_key = $1 ORDER BY listed DESC, id LIMIT 1)
     UNION ALL (SELECT 3, s.id, s.station_id, s.listed FROM stream_checks c JOIN streams s ON s.id = c.stream_id
       WHERE md5(c.resolved_address) = md5($2) AND c.resolved_address = $2 ORDER BY s.listed DESC, s.id LIMIT 1)
   ) AS found ORDER BY listed DESC, place LIMIT 1`,
).first((key: string | undefined, address: string) => [
  key ?? '00000000-0000-0000-0000-000000000000',
  address,
]);

const TO_HEAR_COLUMNS = { id: 'int8', station_id: 'int8', address: 'text' } as const;

/** A stream that may carry its station's song titles. */
export type StreamToHear = RowOf<typeof TO_HEAR_COLUMNS>;

/** Two alternatives for one that does not answer. */
const MAX_PER_STATION = 3;

// Of two equally reliable streams the one with the lower bitrate: less data arrives before the title does.
const toHear = statement(
  'streams-to-hear',
  TO_HEAR_COLUMNS,
  `SELECT s.id, s.station_id, s.address FROM unnest($1::bigint[]) AS wanted (id)
   CROSS JOIN LATERAL (
     SELECT t.id, t.station_id, t.address, coalesce(c.verdict, 'plays') = 'plays' AS plays,
       coalesce(c.standing, t.reliability) AS standing, t.bitrate
     FROM streams AS t LEFT JOIN stream_checks AS c ON c.stream_id = t.id
     WHERE t.station_id = wanted.id AND t.listed
     ORDER BY plays DESC, standing DESC, t.bitrate, t.id LIMIT ${MAX_PER_STATION}
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
