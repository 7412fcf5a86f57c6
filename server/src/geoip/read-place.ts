import { type Coordinate, coordinate } from '../lib/geo.ts';

/** Where an address is, as far as is known. */
export interface AddressPlace {
  /** Unknown in a database of countries. */
  coordinate: Coordinate | undefined;
  /** ISO 3166-1: `IE`. */
  countryCode: string | undefined;
  /** Whether the coordinate is a town's; otherwise it is somewhere in the country or state. */
  precise: boolean;
}

/** A town's coordinate is no better than a state's when the database itself says it may be this far off. */
const TOWN_RADIUS_KM = 200;

/**
 * A record in either of the two shapes there are: nested as MaxMind's and DB-IP's own files have it
 * (`country.iso_code`, `location.latitude`), or flat as DB-IP's npm package (`country_code`, `latitude`).
 */
export function readPlace(record: unknown): AddressPlace | undefined {
  const all = fields(record);
  const location = fields(all['location'] ?? record);
  const countryCode = readCountry(all);
  const place = readCoordinate(location);
  if (place === undefined && countryCode === undefined) return undefined;
  const radiusKm = location['accuracy_radius'];
  const isNear = typeof radiusKm !== 'number' || radiusKm <= TOWN_RADIUS_KM;
  return { coordinate: place, countryCode, precise: place !== undefined && isNear && hasCity(all['city']) };
}

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const fields = (value: unknown): Fields => (isFields(value) ? value : {});

/** Where an address is used before where it is registered: that one is often the head office of a carrier. */
function readCountry(all: Fields): string | undefined {
  const codes = [
    all['country_code'],
    fields(all['country'])['iso_code'],
    fields(all['registered_country'])['iso_code'],
  ];
  return codes.find((code): code is string => typeof code === 'string' && /^[A-Z]{2}$/.test(code));
}

/** The point 0,0 is how a file without empty fields says that it knows none: there is only sea. */
function readCoordinate({ latitude, longitude }: Fields): Coordinate | undefined {
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return undefined;
  return latitude === 0 && longitude === 0 ? undefined : coordinate(latitude, longitude);
}

const hasCity = (city: unknown): boolean =>
  typeof city === 'string' ? city !== '' : Object.keys(fields(city)).length > 0;
