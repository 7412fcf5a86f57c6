export interface Coordinate {
  latitude: number;
  longitude: number;
}

// Programs that print doubles in full produce up to 17 digits after leading zeros.
const DECIMAL_PAIR = /^(-?\d{1,3}(?:\.\d{1,24})?),(-?\d{1,3}(?:\.\d{1,24})?)$/;

/** Both with a decimal comma, as programs format them in most European locales. */
const WITH_COMMAS = /^(-?\d{1,3}),(\d{1,24}),(-?\d{1,3}),(\d{1,24})$/;

/** `51.5,-0.1` -> a coordinate. The grammar is strict: `NaN`, `1e309` and hexadecimal are malformed. */
export function parseCoordinate(text: string): Coordinate | undefined {
  const match = DECIMAL_PAIR.exec(text) ?? DECIMAL_PAIR.exec(tidied(text));
  return match ? coordinate(Number(match[1]), Number(match[2])) : undefined;
}

const tidied = (text: string): string => text.replaceAll(' ', '').replace(WITH_COMMAS, '$1.$2,$3.$4');

/** A pair of numbers as a coordinate; undefined when out of range or not finite. */
export function coordinate(latitude: number, longitude: number): Coordinate | undefined {
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined;
}

const EARTH_RADIUS_KM = 6371.0088;
const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** Great-circle distance by the haversine formula. */
export function distanceKm(a: Coordinate, b: Coordinate): number {
  const north = Math.sin(radians(b.latitude - a.latitude) / 2);
  const east = Math.sin(radians(b.longitude - a.longitude) / 2);
  const chord = north ** 2 + Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * east ** 2;
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(chord)));
}
