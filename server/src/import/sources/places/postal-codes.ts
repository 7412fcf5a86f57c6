import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Coordinate, coordinate } from '../../../lib/geo.ts';

export interface PostalRecord {
  /** The country that issues this code. */
  countryCode: string;
  code: string;
  city: string;
  /** The country it lies in: Puerto Rico for a US ZIP in San Juan. */
  placeCountryCode: string;
  state: string | undefined;
  place: Coordinate;
}

interface ListedCode {
  zip: string;
  latitude: number | null;
  longitude: number | null;
  city: string;
  state: string;
}

/** States in ZIP codes that are countries in ISO 3166; listeners may name either country. */
const TERRITORIES = new Set(['AS', 'FM', 'GU', 'MH', 'MP', 'PR', 'PW', 'VI']);
/** Mail to ships and bases abroad: the list has no place for them, or that of the sorting office. */
const MILITARY = new Set(['AA', 'AE', 'AP']);

/** Canadian codes whose line in the list is broken: their columns are shifted and half of the coordinate is lost. */
const REPAIRED: Readonly<Record<string, Pick<PostalRecord, 'city' | 'state' | 'place'>>> = {
  E1H: repaired('Shediac Bridge', 'New Brunswick', 46.1506, -64.69),
  E2E: repaired('Rothesay', 'New Brunswick', 45.4165, -65.98),
  E2H: repaired('Saint John', 'New Brunswick', 45.3481, -66.01),
  E3C: repaired('Fredericton', 'New Brunswick', 45.9356, -66.68),
  K0C: repaired('Alexandria', 'Ontario', 45.2228, -74.81),
  K0H: repaired('Kingston', 'Ontario', 44.5, -76.6),
  K0K: repaired('Picton', 'Ontario', 44.0594, -77.44),
  P0M: repaired('Chelmsford', 'Ontario', 46.55, -81.5),
  V0N: repaired('Powell River', 'British Columbia', 50, -125),
};

/** ZIP codes of the United States by five digits, Canadian ones by their first three characters. */
export function* listPostalRecords(): Generator<PostalRecord> {
  for (const listed of readCodes('zipcodes/lib/codes.js')) yield* zipRecords(listed);
  for (const listed of readCodes('zipcodes/lib/codesCanada.js')) yield* canadianRecords(listed);
}

/**
 * The package is a 5 MB script that assigns one object; executing it takes 100 MB, parsing it as JSON a fifth of that.
 */
function readCodes(file: string): ListedCode[] {
  const text = readFileSync(fileURLToPath(import.meta.resolve(file)), 'utf8');
  const codes: Record<string, ListedCode> = JSON.parse(text.slice(text.indexOf('{'), text.indexOf('};') + 1));
  return Object.values(codes);
}

function* zipRecords({ zip: code, city, state, latitude, longitude }: ListedCode): Generator<PostalRecord> {
  const place = realPlace(latitude, longitude);
  if (!place || MILITARY.has(state)) return;
  if (!TERRITORIES.has(state)) {
    yield { countryCode: 'US', code, city, placeCountryCode: 'US', state, place };
    return;
  }
  for (const countryCode of ['US', state]) {
    yield { countryCode, code, city, placeCountryCode: state, state: undefined, place };
  }
}

function* canadianRecords(listed: ListedCode): Generator<PostalRecord> {
  const { zip: code, city, state, latitude, longitude } = listed;
  const place = realPlace(latitude, longitude);
  const known = REPAIRED[code] ?? (place && { city: withoutAside(city), state, place });
  if (known) yield { countryCode: 'CA', placeCountryCode: 'CA', code, ...known };
}

/** Unknown places are listed at 0,0; the North Pole has a code too, for letters to Santa Claus. */
function realPlace(latitude: number | null, longitude: number | null): Coordinate | undefined {
  if (latitude === null || longitude === null || longitude === 0) return undefined;
  return coordinate(latitude, longitude);
}

/** "Calgary (connaught / West Victoria Park)" is in Calgary. */
const withoutAside = (city: string): string => city.replace(/\s*\(.*$/, '') || city;

function repaired(
  city: string,
  state: string,
  latitude: number,
  longitude: number,
): Pick<PostalRecord, 'city' | 'state' | 'place'> {
  return { city, state, place: { latitude, longitude } };
}
