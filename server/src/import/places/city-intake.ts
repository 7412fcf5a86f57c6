import { placeKey } from '../../catalog/place-key.ts';
import type { CityRecord } from './cities.ts';
import { REGION_COLUMNS, type RegionRow, upsertRegions } from './region-intake.ts';
import type { Intake } from './write-batch.ts';

export interface CityRow {
  region: RegionRow;
  city: CityRecord;
  stateCode: string | undefined;
}

const MAX_NAME_LENGTH = 100;

export const cityIntake: Intake<CityRow> = {
  table: 'incoming_cities',
  columns: {
    ...REGION_COLUMNS,
    country_code: ['text', ({ city }) => city.countryCode],
    state_code: ['text', ({ stateCode }) => (stateCode ? `state:${stateCode}` : null)],
    name_key: ['text', ({ city }) => placeKey(city.name)],
    other_name_keys: ['text[]', ({ city }) => otherKeys(city)],
    population: ['integer', ({ city }) => city.population],
    zone: ['text', ({ city }) => city.zone],
  },
  inserts: [
    upsertRegions('incoming_cities'),
    `INSERT INTO cities (id, country_id, state_id, name_key, other_name_keys, population, zone)
    SELECT r.id, c.id, s.id, i.name_key, i.other_name_keys, i.population, i.zone
    FROM incoming_cities AS i
    JOIN regions AS r ON r.code = i.code
    JOIN countries AS c ON c.code = i.country_code
    LEFT JOIN regions AS s ON s.code = i.state_code
    WHERE NOT EXISTS (
      SELECT FROM cities AS o WHERE o.id = r.id
      AND (o.country_id, o.state_id, o.name_key, o.other_name_keys, o.population, o.zone)
      IS NOT DISTINCT FROM (c.id, s.id, i.name_key, i.other_name_keys, i.population, i.zone))
    ON CONFLICT (id) DO UPDATE SET country_id = excluded.country_id, state_id = excluded.state_id,
      name_key = excluded.name_key, other_name_keys = excluded.other_name_keys,
      population = excluded.population, zone = excluded.zone
    RETURNING id::text AS key, xmax = 0 AS added`,
  ],
};

function otherKeys({ name, otherNames }: CityRecord): string[] {
  const keys = new Set(otherNames.split(',').map(placeKey));
  keys.delete('');
  keys.delete(placeKey(name));
  return [...keys].filter((key) => key.length <= MAX_NAME_LENGTH);
}
