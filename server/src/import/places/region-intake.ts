import type { Coordinate } from '../../lib/geo.ts';
import type { Column, Intake } from './write-batch.ts';

export interface RegionRow {
  /** Only for the regions whose number the world knows. */
  id?: number;
  /** None for the root alone. */
  parentCode?: string;
  kind: 'root' | 'continent' | 'country' | 'state' | 'city';
  code: string;
  name: string;
  place?: Coordinate;
}

/** What every row of the tree has, whatever else its table holds of it. */
export const REGION_COLUMNS: Readonly<Record<string, Column<{ region: RegionRow }>>> = {
  id: ['bigint', ({ region }) => region.id ?? null],
  parent_code: ['text', ({ region }) => region.parentCode ?? null],
  kind: ['text', ({ region }) => region.kind],
  code: ['text', ({ region }) => region.code],
  name: ['text', ({ region }) => region.name],
  latitude: ['double precision', ({ region }) => region.place?.latitude ?? null],
  longitude: ['double precision', ({ region }) => region.place?.longitude ?? null],
};

export const regionIntake: Intake<{ region: RegionRow }> = {
  table: 'incoming_regions',
  columns: REGION_COLUMNS,
  inserts: [upsertRegions('incoming_regions')],
};

/**
 * Rows that are as they should be are left out before the insert, not by its ON CONFLICT: every row that reaches the
 * insert draws a number from the sequence, and an import that changes nothing draws none.
 */
export function upsertRegions(table: string): string {
  return `
    INSERT INTO regions (id, parent_id, kind, code, name, latitude, longitude)
    SELECT coalesce(i.id, nextval('regions_id_seq')), p.id, i.kind, i.code, i.name, i.latitude, i.longitude
    FROM ${table} AS i LEFT JOIN regions AS p ON p.code = i.parent_code
    WHERE NOT EXISTS (
      SELECT FROM regions AS r WHERE r.code = i.code
      AND (r.parent_id, r.name, r.latitude, r.longitude) IS NOT DISTINCT FROM (p.id, i.name, i.latitude, i.longitude))
    ORDER BY i.ctid
    ON CONFLICT (code) DO UPDATE SET parent_id = excluded.parent_id, name = excluded.name,
      latitude = excluded.latitude, longitude = excluded.longitude
    RETURNING id::text AS key, xmax = 0 AS added`;
}
