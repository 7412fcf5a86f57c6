import type { Coordinate } from '../../../lib/geo.ts';
import { type Position, positionOf, squaredChord } from '../nearby/locations.ts';

/** Stations that are heard in an area, by rank. */
export interface HeardArea {
  /** Undefined for the whole country. */
  readonly around: { readonly position: Position; readonly reach: number } | undefined;
  readonly ranks: Int32Array;
  /** By place in `ranks`: which broadcaster of the area it is, counted from the most listened to. */
  readonly places: Int32Array;
}

/** By country. */
export type HeardAreas = ReadonlyMap<string, readonly HeardArea[]>;

/** The areas of a country that a point is in. */
export function areasAt(areas: HeardAreas, countryCode: string, point: Coordinate): HeardArea[] {
  const position = positionOf(point);
  return (areas.get(countryCode) ?? []).filter(
    ({ around }) => !around || squaredChord(around.position, position) <= around.reach,
  );
}
