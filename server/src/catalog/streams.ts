import type { Pool } from 'pg';
import type { Queryable } from '../db/pool.ts';
import { type RowOf, statement } from '../db/statement.ts';
import { editCatalogue } from './version.ts';

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

export type StreamRow = RowOf<typeof COLUMNS>;

const ofStation = statement(
  'streams-of-station',
  COLUMNS,
  `SELECT ${Object.keys(COLUMNS).join(', ')} FROM streams
   WHERE station_id = $1 ORDER BY reliability DESC, bitrate DESC, id`,
);

/** All streams of a station, hidden ones too, the most reliable first. */
export const listStreamsOfStation = (db: Queryable, stationId: number): Promise<StreamRow[]> =>
  ofStation.run(db, [stationId]);

const setListed = statement(
  'stream-set-listed',
  { id: 'int8' },
  `UPDATE streams SET listed = $2, pinned = ARRAY (SELECT DISTINCT unnest(pinned || '{listed}') ORDER BY 1),
     updated_at = now()
   WHERE id = $1 RETURNING id`,
);

/** Hides or shows a stream by hand, so that no import changes it again. False when there is no such stream. */
export const setStreamListed = (pool: Pool, id: number, listed: boolean): Promise<boolean> =>
  editCatalogue(pool, (client) => setListed.run(client, [id, listed]));
