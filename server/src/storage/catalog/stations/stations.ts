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
  relay: 'text?',
  popularity: 'int4',
  listed: 'bool',
  pinned: 'text[]',
} as const;
const LIST = Object.keys(COLUMNS).join(', ');

export type StationRow = RowOf<typeof COLUMNS>;

/** Of a station that was merged into another one, that one. */
export const findStationRow = statement(
  'station-by-id',
  COLUMNS,
  `SELECT ${LIST} FROM stations
   WHERE id = coalesce((SELECT merged_into FROM stations WHERE id = $1), $1)`,
).first((id: number) => [id]);
/** Those of the ids that are stations, unordered. */
export const listStations = statement(
  'stations-by-ids',
  COLUMNS,
  `SELECT ${LIST} FROM stations WHERE id = ANY ($1::bigint[])`,
).all((ids: readonly number[]) => [ids]);
