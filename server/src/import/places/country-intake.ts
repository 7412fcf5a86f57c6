import { REGION_COLUMNS, type RegionRow, upsertRegions } from './region-intake.ts';
import type { Intake } from './write-batch.ts';

export interface CountryRow {
  region: RegionRow;
  countryCode: string;
  languages: readonly string[];
  zone: string;
}

export const countryIntake: Intake<CountryRow> = {
  table: 'incoming_countries',
  columns: {
    ...REGION_COLUMNS,
    country_code: ['text', ({ countryCode }) => countryCode],
    language_codes: ['text[]', ({ languages }) => languages],
    zone: ['text', ({ zone }) => zone],
  },
  inserts: [
    upsertRegions('incoming_countries'),
    `INSERT INTO countries (code, name, region_id, language_codes, zone)
    SELECT i.country_code, i.name, r.id, i.language_codes, i.zone
    FROM incoming_countries AS i JOIN regions AS r ON r.code = i.code
    WHERE NOT EXISTS (
      SELECT FROM countries AS c WHERE c.code = i.country_code AND (c.name, c.region_id, c.language_codes, c.zone)
      IS NOT DISTINCT FROM (i.name, r.id, i.language_codes, i.zone))
    ORDER BY i.ctid
    ON CONFLICT (code) DO UPDATE SET name = excluded.name, region_id = excluded.region_id,
      language_codes = excluded.language_codes, zone = excluded.zone
    RETURNING region_id::text AS key, xmax = 0 AS added`,
  ],
};
