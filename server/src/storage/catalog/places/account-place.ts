import { type Coordinate, coordinate, distanceKm } from '../../../lib/geo.ts';
import type { Queryable } from '../../db/pool.ts';
import { type RowOf, statement } from '../../db/statement.ts';
import { placeKey } from './name-table.ts';

/** Where an account is, as precisely as local stations and the time of day require. */
export interface AccountPlace {
  /** The id of the city's region, or of its state's when the city has none. */
  regionId: number;
  city: string;
  coordinate: Coordinate;
  zone: string;
}

const PLACE = {
  region_id: 'int8',
  city: 'text',
  latitude: 'float8?',
  longitude: 'float8?',
  zone: 'text',
} as const;

const byPostalCode = statement(
  'place-by-postal-code',
  { ...PLACE, latitude: 'float8', longitude: 'float8' },
  `SELECT region_id, city, latitude, longitude, zone FROM postal_codes WHERE country_id = $1 AND code = $2`,
);

/** The place of a ZIP code of the United States or a Canadian postal code, as people write them. */
export async function findPostalCode(
  db: Queryable,
  countryId: number,
  text: string,
): Promise<AccountPlace | undefined> {
  const postal = parsePostalCode(text);
  const [row] = postal ? await byPostalCode.run(db, [countryId, postal.code]) : [];
  return row && placeOf(row);
}

export interface PostalCode {
  countryCode: 'US' | 'CA';
  /** As it is stored: five digits, or the first three characters of a Canadian code. */
  code: string;
}

const ZIP = /^(\d{5})(?:[- ]?\d{4})?$/;
const CANADIAN = /^([A-Z]\d[A-Z])(?:[- ]?\d[A-Z]\d)?$/;

/** `90210-1234` -> { countryCode: 'US', code: '90210' }, `k1a 0b1` -> { countryCode: 'CA', code: 'K1A' }. */
export function parsePostalCode(text: string): PostalCode | undefined {
  const trimmed = text.trim().toUpperCase();
  const zip = ZIP.exec(trimmed)?.[1];
  if (zip) return { countryCode: 'US', code: zip };
  const area = CANADIAN.exec(trimmed)?.[1];
  return area ? { countryCode: 'CA', code: area } : undefined;
}

/**
 * The weight of a city's other names relative to its first: "Frankfurt" is Frankfurt am Main and not a village of just
 * that name, yet a town does not lose to a bigger one whose hundredth name it shares. Of 15,442 stations with known
 * city and coordinate, the name alone finds 13,631 this way, 13,480 with equal weights, and 13,605 when a first name
 * always wins.
 */
export const OTHER_NAME_WEIGHT = 0.1;

/** More cities than share a name in any country. */
const MAX_NAMESAKES = 200;
/** People name the city they live near from about this far. */
const NEAR_KM = 100;

// Each half reads one index; `+ 0` keeps the second from reading all of a country's cities to filter a few.
const byCityName = statement(
  'place-by-city',
  PLACE,
  `SELECT r.id AS region_id, r.name AS city, r.latitude, r.longitude, c.zone
   FROM (
     (SELECT id, zone, population::float8 AS weight FROM cities
      WHERE country_id = $1 AND name_key = $2 ORDER BY population DESC LIMIT 1)
     UNION ALL
     (SELECT id, zone, population * ${OTHER_NAME_WEIGHT}::float8 AS weight FROM cities
      WHERE country_id + 0 = $1 AND other_name_keys @> ARRAY[$2] ORDER BY population DESC LIMIT 1)
   ) AS c JOIN regions AS r ON r.id = c.id
   ORDER BY c.weight DESC LIMIT 1`,
);

/** The largest city of that name in a country; "Portland, Oregon" is also tried as Portland. */
export async function findCity(
  db: Queryable,
  countryId: number,
  name: string,
): Promise<AccountPlace | undefined> {
  for (const text of new Set([name, name.split(',', 1)[0] ?? ''])) {
    const key = placeKey(text);
    const [row] = key === '' ? [] : await byCityName.run(db, [countryId, key]);
    if (row) return placeOf(row);
  }
  return undefined;
}

function placeOf(row: RowOf<typeof PLACE>): AccountPlace | undefined {
  const { region_id: regionId, city, latitude, longitude, zone } = row;
  const place = coordinate(latitude ?? Number.NaN, longitude ?? Number.NaN);
  return place && { regionId, city, coordinate: place, zone };
}

const byName = statement(
  'cities-by-name',
  { latitude: 'float8?', longitude: 'float8?' },
  `SELECT r.latitude, r.longitude FROM (
     (SELECT id FROM cities WHERE country_id = $1 AND name_key = $2 LIMIT ${MAX_NAMESAKES})
     UNION
     (SELECT id FROM cities WHERE country_id + 0 = $1 AND other_name_keys @> ARRAY[$2] LIMIT ${MAX_NAMESAKES})
   ) AS c JOIN regions AS r ON r.id = c.id`,
);

/**
 * Whether a city that a listener names with a postal code is plausible: it has that name there, or a city of that name
 * is near, as for a suburb. Also true for a name that no city has.
 */
export async function isAboutThere(
  db: Queryable,
  countryId: number,
  name: string,
  place: AccountPlace,
): Promise<boolean> {
  for (const text of new Set([name, name.split(',', 1)[0] ?? ''])) {
    const key = placeKey(text);
    if (key === '') continue;
    if (key === placeKey(place.city)) return true;
    const rows = await byName.run(db, [countryId, key]);
    const points = rows.flatMap(
      ({ latitude, longitude }) => coordinate(latitude ?? Number.NaN, longitude ?? Number.NaN) ?? [],
    );
    if (points.length > 0) return points.some((point) => distanceKm(point, place.coordinate) <= NEAR_KM);
  }
  return true;
}
