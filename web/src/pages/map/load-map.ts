import { askSite } from '../../session/calls/api.ts';
import { type PackedPoints, type Points, readPoints } from './points.ts';

/** The names of the points, by station number. */
export interface Names {
  name: readonly string[];
  places: readonly string[];
  place: readonly number[];
}

interface Versioned {
  version: number;
}

export interface LoadedPoints extends Versioned {
  points: Points;
}

/** `isAnew` bypasses the browser's cache. */
export async function loadPoints(signal: AbortSignal, isAnew: boolean): Promise<LoadedPoints> {
  const path = isAnew ? `map?asked=${Date.now()}` : 'map';
  const { version, points } = await askSite<Versioned & { points: PackedPoints }>(path, { signal });
  return { version, points: readPoints(points) };
}

/**
 * The names for just these points; undefined if the directory has changed since, and the points must be loaded again.
 */
export async function loadNames(version: number, signal: AbortSignal): Promise<Names | undefined> {
  const { names, version: now } = await askSite<Versioned & { names: Names }>(
    `map/names?version=${version}`,
    { signal },
  );
  return now === version ? names : undefined;
}

export const placeOf = ({ places, place }: Names, station: number): string | undefined =>
  places[place[station] ?? -1];
