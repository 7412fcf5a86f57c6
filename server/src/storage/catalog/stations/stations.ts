import type { Queryable } from '../../db/pool.ts';
import { type RowOf, statement } from '../../db/statement.ts';

const COLUMNS = {
  id: 'int8',
  name: 'text',
  call_sign: 'text?',
  frequency: 'text?',
  band: 'text?',
  slogan: 'text?',
  description: 'text?',
  homepage: 'text?',
  country_id: 'int8?',
  region_id: 'int8?',
  latitude: 'float8?',
  longitude: 'float8?',
  zone: 'text?',
  popularity: 'int4',
  listed: 'bool',
  pinned: 'text[]',
} as const;
const LIST = Object.keys(COLUMNS).join(', ');

export type StationRow = RowOf<typeof COLUMNS>;

const byId = statement(
  'station-by-id',
  COLUMNS,
  `SELECT ${LIST} FROM stations
   WHERE id = coalesce((SELECT merged_into FROM stations WHERE id = $1), $1)`,
);
const byIds = statement(
  'stations-by-ids',
  COLUMNS,
  `SELECT ${LIST} FROM stations WHERE id = ANY ($1::bigint[])`,
);

/** Of a station that was merged into another one, that one. */
export async function findStationRow(db: Queryable, id: number): Promise<StationRow | undefined> {
  const [station] = await byId.run(db, [id]);
  return station;
}

/** Those of the ids that are stations, unordered. */
export const listStations = (db: Queryable, ids: readonly number[]): Promise<StationRow[]> =>
  byIds.run(db, [ids]);
