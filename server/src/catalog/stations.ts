import type { Pool } from 'pg';
import type { Queryable } from '../db/pool.ts';
import { type RowOf, statement } from '../db/statement.ts';
import { editCatalogue } from './version.ts';

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

const byId = statement('station-by-id', COLUMNS, `SELECT ${LIST} FROM stations WHERE id = $1`);
const byIds = statement(
  'stations-by-ids',
  COLUMNS,
  `SELECT ${LIST} FROM stations WHERE id = ANY ($1::bigint[])`,
);

export async function findStation(db: Queryable, id: number): Promise<StationRow | undefined> {
  const [station] = await byId.run(db, [id]);
  return station;
}

/** Those of the ids that are stations, in no order. */
export const listStations = (db: Queryable, ids: readonly number[]): Promise<StationRow[]> =>
  byIds.run(db, [ids]);

/** What an operator sets by hand. `name_key` and `homepage_host` stay what the sources say, by which records are recognised. */
const EDITABLE = [
  'name',
  'call_sign',
  'frequency',
  'band',
  'slogan',
  'description',
  'homepage',
  'country_id',
  'region_id',
  'latitude',
  'longitude',
  'zone',
  'listed',
] as const satisfies readonly (keyof StationRow)[];
const EDITED = EDITABLE.join(', ');

export type StationChanges = { -readonly [Column in (typeof EDITABLE)[number]]?: StationRow[Column] };

// The subquery reads the row that is being updated, so that of two edits at once neither undoes the other.
const edit = statement(
  'station-edit',
  { id: 'int8' },
  `UPDATE stations AS s SET
     (${EDITED}) = (SELECT ${EDITED} FROM jsonb_populate_record(s, $2::jsonb)),
     pinned = ARRAY (SELECT DISTINCT unnest(s.pinned || $3::text[]) ORDER BY 1),
     updated_at = now()
   WHERE id = $1 RETURNING id`,
);

/** Sets columns and pins them, so that no import changes them again. False when there is no such station. */
export function editStation(pool: Pool, id: number, changes: StationChanges): Promise<boolean> {
  const columns = EDITABLE.filter((column) => changes[column] !== undefined);
  return editCatalogue(pool, (client) => edit.run(client, [id, JSON.stringify(changes), columns]));
}
