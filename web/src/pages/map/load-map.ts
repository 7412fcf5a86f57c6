import { askSite } from '../../session/api.ts';
import { type PackedPoints, type Points, readPoints } from './points.ts';

/** What the points are called, by number of station. */
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

/** Anew: not what the browser has kept. */
export async function loadPoints(signal: AbortSignal, isAnew: boolean): Promise<LoadedPoints> {
  const path = isAnew ? `map?asked=${Date.now()}` : 'map';
  const { version, points } = await askSite<Versioned & { points: PackedPoints }>(path, { signal });
  return { version, points: readPoints(points) };
}

/** The names of just these points; undefined where the directory has changed since, and the points are to be asked for anew. */
export async function loadNames(version: number, signal: AbortSignal): Promise<Names | undefined> {
  const { names, version: now } = await askSite<Versioned & { names: Names }>(
    `map/names?version=${version}`,
    { signal },
  );
  return now === version ? names : undefined;
}

export const placeOf = ({ places, place }: Names, station: number): string | undefined =>
  places[place[station] ?? -1];
