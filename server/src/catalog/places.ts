import type { Queryable } from '../db/pool.ts';
import { type RowOf, statement } from '../db/statement.ts';

const COUNTRY = {
  id: 'int8',
  code: 'text',
  name: 'text',
  region_id: 'int8',
  language_codes: 'text[]',
  zone: 'text?',
} as const;

export type CountryRow = RowOf<typeof COUNTRY>;

const countries = statement(
  'all-countries',
  COUNTRY,
  `SELECT ${Object.keys(COUNTRY).join(', ')} FROM countries ORDER BY name`,
);

/** Every country, by name. */
export const listCountries = (db: Queryable): Promise<CountryRow[]> => countries.run(db, []);

const STATE = { id: 'int8', code: 'text', name: 'text' } as const;

export type StateRow = RowOf<typeof STATE>;

const states = statement(
  'all-states',
  STATE,
  `SELECT r.id, r.code, r.name FROM countries AS c JOIN regions AS r ON r.parent_id = c.region_id
   WHERE r.kind = 'state'`,
);

/** Every state, some 4,000; its `code` reads 'state:DE.04'. */
export const listStates = (db: Queryable): Promise<StateRow[]> => states.run(db, []);

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

/** Every city of these countries, a page at a time: the 130,000 of the world at once take 200 MB. */
export async function* readCities(db: Queryable, countryIds: readonly number[]): AsyncGenerator<CityRow> {
  let last = -1;
  for (;;) {
    const page = await citiesAfter.run(db, [last, countryIds, PAGE_ROWS]);
    yield* page;
    if (page.length < PAGE_ROWS) return;
    last = page.at(-1)?.id ?? last;
  }
}
