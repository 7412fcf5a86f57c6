import { type Coordinate, coordinate } from '../../lib/geo.ts';
import { parseCountry } from '../../storage/catalog/places/country-names.ts';

const MAX_LENGTH = 100;
const MAX_CACHED = 2000;
const cache = new Map<string, string | undefined>();

/** An ISO 3166 code from the code or the name that a source gives, or undefined. */
export function cleanCountry(code: string | undefined, name: string | undefined): string | undefined {
  return parseCached(code) ?? parseCached(name);
}

/** Sources repeat a few hundred spellings, and comparing names costs 30 times a lookup. */
function parseCached(text: string | undefined): string | undefined {
  if (!text || text.length > MAX_LENGTH) return undefined;
  if (cache.has(text)) return cache.get(text);
  if (cache.size >= MAX_CACHED) cache.clear();
  const country = parseCountry(text);
  cache.set(text, country);
  return country;
}

/** About a hundred metres around 0,0, where nobody broadcasts and every empty form ends up. */
const NOWHERE_DEGREES = 0.001;

/**
 * A coordinate on earth, or undefined. A pair out of range is not swapped: it may have other errors that cannot be
 * seen.
 */
export function cleanCoordinate(latitude: number, longitude: number): Coordinate | undefined {
  if (Math.abs(latitude) < NOWHERE_DEGREES && Math.abs(longitude) < NOWHERE_DEGREES) return undefined;
  return coordinate(round(latitude), round(longitude));
}

/** Five decimals are a metre; more are noise that would make every re-import look like a change. */
const round = (degrees: number): number => Math.round(degrees * 1e5) / 1e5;
