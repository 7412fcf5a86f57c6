import type { PoolClient } from 'pg';
import type { Coordinate } from '../../../lib/geo.ts';
import { placeKey } from '../../../storage/catalog/places/name-table.ts';
import { copyRows, type CopyValue } from '../../../storage/db/copy.ts';
import { inTransaction } from '../../../storage/db/transaction.ts';
import type { CityRecord } from './cities.ts';
import type { LanguageRecord } from './languages.ts';
import type { PostalRecord } from './postal-codes.ts';

/** The SQL type of a column of the temporary table, and its value in a row. */
type Column<Row> = readonly [type: string, value: (row: Row) => CopyValue];

/** How rows get into the database: copied into a temporary table, then inserted from there. */
export interface Intake<Row> {
  table: string;
  columns: Readonly<Record<string, Column<Row>>>;
  /** Each returns the `key` of every row it wrote, and whether it was `added` or only changed. */
  inserts: readonly string[];
}

export interface Tally {
  read: number;
  added: number;
  changed: number;
}

const BATCH_ROWS = 10_000;

export function createIncoming({ table, columns }: Intake<never>): string {
  const list = Object.entries(columns).map(([name, [type]]) => `${name} ${type}`);
  return `CREATE TEMPORARY TABLE ${table} (${list.join(', ')})`;
}

/**
 * Writes the next rows, adds them to the tally, and returns whether there were any. A batch is a transaction, so that
 * a killed import leaves complete batches behind and can simply be run again.
 */
export async function writePlaceBatch<Row>(
  client: PoolClient,
  { table, columns, inserts }: Intake<Row>,
  left: Iterator<Row>,
  tally: Tally,
): Promise<boolean> {
  const batch = new Batch(left, Object.values(columns));
  const written = await inTransaction(client, async () => {
    await client.query(`TRUNCATE ${table}`);
    await copyRows(client, table, Object.keys(columns), batch);
    // Without it the planner underestimates the temporary table, at three times the cost.
    await client.query(`ANALYZE ${table} (code)`);
    return await runInserts(client, inserts);
  });
  tally.read += batch.count;
  tally.added += written.added;
  tally.changed += written.changed;
  return batch.count > 0;
}

/** The next rows for COPY, made one by one on demand. */
class Batch<Row> implements Iterable<CopyValue[]> {
  count = 0;
  readonly #left: Iterator<Row>;
  readonly #columns: readonly Column<Row>[];

  constructor(left: Iterator<Row>, columns: readonly Column<Row>[]) {
    this.#left = left;
    this.#columns = columns;
  }

  *[Symbol.iterator](): Generator<CopyValue[]> {
    while (this.count < BATCH_ROWS) {
      const next = this.#left.next();
      if (next.done) return;
      this.count += 1;
      yield this.#columns.map(([, value]) => value(next.value));
    }
  }
}

/** A place in two tables counts as one place, however many of its rows are written. */
async function runInserts(
  client: PoolClient,
  inserts: readonly string[],
): Promise<{ added: number; changed: number }> {
  let added = 0;
  const changed = new Set<string>();
  for (const insert of inserts) {
    const { rows } = await client.query<{ added: number; changed: string[] }>(`
      WITH written AS (${insert})
      SELECT count(*) FILTER (WHERE added)::integer AS added,
        coalesce(array_agg(key) FILTER (WHERE NOT added), '{}') AS changed
      FROM written`);
    added = Math.max(added, rows[0]?.added ?? 0);
    for (const key of rows[0]?.changed ?? []) changed.add(key);
  }
  return { added, changed: changed.size };
}

export interface RegionRecordRow {
  /** Only for regions with a well-known id. */
  id?: number;
  /** Only the root has none. */
  parentCode?: string;
  kind: 'root' | 'continent' | 'country' | 'state' | 'city';
  code: string;
  name: string;
  place?: Coordinate;
}

/** Columns of every row of the tree, whatever else its table has. */
const REGION_COLUMNS: Readonly<Record<string, Column<{ region: RegionRecordRow }>>> = {
  id: ['bigint', ({ region }) => region.id ?? null],
  parent_code: ['text', ({ region }) => region.parentCode ?? null],
  kind: ['text', ({ region }) => region.kind],
  code: ['text', ({ region }) => region.code],
  name: ['text', ({ region }) => region.name],
  latitude: ['double precision', ({ region }) => region.place?.latitude ?? null],
  longitude: ['double precision', ({ region }) => region.place?.longitude ?? null],
};

export const regionIntake: Intake<{ region: RegionRecordRow }> = {
  table: 'incoming_regions',
  columns: REGION_COLUMNS,
  inserts: [upsertRegions('incoming_regions')],
};

/**
 * Unchanged rows are left out before the insert, not by its ON CONFLICT: every row that reaches the insert draws a
 * number from the sequence, and an import that changes nothing must draw none.
 */
function upsertRegions(table: string): string {
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

export interface CountryRecordRow {
  region: RegionRecordRow;
  countryCode: string;
  languages: readonly string[];
  zone: string;
}

export const countryIntake: Intake<CountryRecordRow> = {
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

export interface CityRecordRow {
  region: RegionRecordRow;
  city: CityRecord;
  stateCode: string | undefined;
}

const MAX_NAME_LENGTH = 100;

export const cityIntake: Intake<CityRecordRow> = {
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

export interface PostalRow {
  record: PostalRecord;
  regionId: number;
  zone: string;
}

export const postalIntake: Intake<PostalRow> = {
  table: 'incoming_postal_codes',
  columns: {
    country_code: ['text', ({ record }) => record.countryCode],
    code: ['text', ({ record }) => record.code],
    city: ['text', ({ record }) => record.city],
    region_id: ['bigint', ({ regionId }) => regionId],
    latitude: ['double precision', ({ record }) => record.place.latitude],
    longitude: ['double precision', ({ record }) => record.place.longitude],
    zone: ['text', ({ zone }) => zone],
  },
  inserts: [
    `INSERT INTO postal_codes (country_id, code, city, region_id, latitude, longitude, zone)
    SELECT c.id, i.code, i.city, i.region_id, i.latitude, i.longitude, i.zone
    FROM incoming_postal_codes AS i JOIN countries AS c ON c.code = i.country_code
    WHERE NOT EXISTS (
      SELECT FROM postal_codes AS o WHERE o.country_id = c.id AND o.code = i.code
      AND (o.city, o.region_id, o.latitude, o.longitude, o.zone)
      IS NOT DISTINCT FROM (i.city, i.region_id, i.latitude, i.longitude, i.zone))
    ON CONFLICT (country_id, code) DO UPDATE SET city = excluded.city, region_id = excluded.region_id,
      latitude = excluded.latitude, longitude = excluded.longitude, zone = excluded.zone
    RETURNING country_id || ' ' || code AS key, xmax = 0 AS added`,
  ],
};

export const languageIntake: Intake<LanguageRecord> = {
  table: 'incoming_languages',
  columns: { code: ['text', ({ code }) => code], name: ['text', ({ name }) => name] },
  inserts: [
    `INSERT INTO languages (code, name)
    SELECT i.code, i.name FROM incoming_languages AS i
    WHERE NOT EXISTS (SELECT FROM languages AS l WHERE l.code = i.code AND l.name = i.name)
    ORDER BY i.ctid
    ON CONFLICT (code) DO UPDATE SET name = excluded.name
    RETURNING code AS key, xmax = 0 AS added`,
  ],
};
