import { type Coordinate, coordinate } from '../lib/geo.ts';

/** About a hundred metres around 0,0, where nobody broadcasts and every empty form ends up. */
const NOWHERE_DEGREES = 0.001;

/**
 * A place on earth, or undefined. A pair out of range is not put right by swapping it: which of its other faults went
 * unseen cannot be known.
 */
export function cleanCoordinate(latitude: number, longitude: number): Coordinate | undefined {
  if (Math.abs(latitude) < NOWHERE_DEGREES && Math.abs(longitude) < NOWHERE_DEGREES) return undefined;
  return coordinate(round(latitude), round(longitude));
}

/** Five decimals are a metre; more are noise that would make every re-import look like a change. */
const round = (degrees: number): number => Math.round(degrees * 1e5) / 1e5;
