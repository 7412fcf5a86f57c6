import type { Queryable } from '../../db/pool.ts';
import { type RowOf, statement } from '../../db/statement.ts';
import { placeKey } from './name-table.ts';

const COUNTRY = {
  id: 'int8',
  code: 'text',
  name: 'text',
  region_id: 'int8',
  language_codes: 'text[]',
  zone: 'text?',
} as const;

export type CountryRow = RowOf<typeof COUNTRY>;

/** Every country, by name. */
export const listCountries = statement(
  'all-countries',
  COUNTRY,
  `SELECT ${Object.keys(COUNTRY).join(', ')} FROM countries ORDER BY name`,
).all();

/** Every state, some 4,000; its `code` reads 'state:DE.04'. */
export const listStates = statement(
  'all-states',
  { id: 'int8', code: 'text', name: 'text' },
  `SELECT r.id, r.code, r.name FROM countries AS c JOIN regions AS r ON r.parent_id = c.region_id
   WHERE r.kind = 'state'`,
).all();

const CITY = {
  id: 'int8',
  country_id: 'int8',
  state_id: 'int8?',
  name_key: 'text',
  other_name_keys: 'text[]',
  population: 'int4',
  zone: 'text',
  latitude: 'float8?',
  longitude: 'float8?',
} as const;

export type CityRow = RowOf<typeof CITY>;

const citiesAfter = statement(
  'cities-after',
  CITY,
  `SELECT c.id, c.country_id, c.state_id, c.name_key, c.other_name_keys, c.population, c.zone,
     r.latitude, r.longitude
   FROM cities AS c JOIN regions AS r ON r.id = c.id
   WHERE c.id > $1 AND c.country_id = ANY ($2::bigint[]) ORDER BY c.id LIMIT $3`,
);
const PAGE_ROWS = 1000;

/** Every city of these countries, page by page: all 130,000 of the world in one result take 200 MB. */
export async function* readCities(db: Queryable, countryIds: readonly number[]): AsyncGenerator<CityRow> {
  let last = -1;
  for (;;) {
    const page = await citiesAfter.run(db, [last, countryIds, PAGE_ROWS]);
    yield* page;
    if (page.length < PAGE_ROWS) return;
    last = page.at(-1)?.id ?? last;
  }
}

const PLACE = {
  id: 'int8',
  name: 'text',
  state: 'text?',
  country: 'text',
  country_code: 'text',
  country_id: 'int8',
  latitude: 'float8?',
  longitude: 'float8?',
  zone: 'text',
} as const;

/** A city as suggested to somebody who types its name. */
export type SuggestedPlace = RowOf<typeof PLACE>;

const FIELDS = `r.id, r.name, s.name AS state, n.name AS country, n.code AS country_code, n.id AS country_id,
     r.latitude, r.longitude, c.zone`;
const AROUND = `JOIN regions r ON r.id = c.id JOIN countries n ON n.id = c.country_id LEFT JOIN regions s ON s.id = c.state_id`;

// A range of an index in byte order; `population` is in it too, so small places are skipped without reading their rows.
const byStart = statement(
  'places-by-start',
  PLACE,
  `SELECT ${FIELDS} FROM (
     SELECT id, country_id, state_id, zone, population FROM cities
     WHERE name_key COLLATE "C" >= $1 AND name_key COLLATE "C" < $2 AND population >= $3
     ORDER BY population DESC, id LIMIT $4
   ) AS c ${AROUND} ORDER BY c.population DESC, c.id`,
);

const MIN_LENGTH = 2;
/** Sorts after everything that begins with a text: no name contains it. */
const LAST = '\u{10ffff}';

/** Cities whose names begin with the text, the largest first; for two letters only large ones: thousands share them. */
export async function suggestPlaces(db: Queryable, text: string, limit: number): Promise<SuggestedPlace[]> {
  const key = placeKey(text);
  if (key.length < MIN_LENGTH) return [];
  const smallest = key.length === 2 ? 100_000 : key.length === 3 ? 10_000 : 0;
  return byStart.run(db, [key, key + LAST, smallest, limit]);
}

/** A city by its region's id. */
export const findPlace = statement(
  'place-by-id',
  PLACE,
  `SELECT ${FIELDS} FROM cities c ${AROUND} WHERE c.id = $1`,
).first((regionId: number) => [regionId]);

export const findRegionName = statement(
  'region-name',
  { name: 'text' },
  'SELECT name FROM regions WHERE id = $1',
).value((id: number) => [id]);
