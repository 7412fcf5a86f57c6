import { type PageRequest, type StationPage, hasStations, selectStations } from './select-stations.ts';
import type { StationFilter } from './sieve.ts';
import type { DirectoryRegion, Snapshot } from './snapshot.ts';
import { lineageOf } from './tree.ts';

/** Undefined also for a region without stations; those are known to the catalogue alone. */
export const findRegion = (snapshot: Snapshot, id: number): DirectoryRegion | undefined =>
  snapshot.regionById.get(id);

/** The stations in a region and in the regions inside it, the most popular first. */
export const stationsOfRegion = (snapshot: Snapshot, regionId: number, request: PageRequest): StationPage =>
  selectStations(snapshot, { ...request, regionId });

/** The regions directly inside that have a station that fits, by name; `stationCount` counts all, fitting or not. */
export const listRegionsOf = (
  snapshot: Snapshot,
  regionId: number,
  filter: StationFilter,
): DirectoryRegion[] =>
  (findRegion(snapshot, regionId)?.children ?? []).filter(({ id }) =>
    hasStations(snapshot, { ...filter, regionId: id }),
  );

/** The way down to a region: the root first, the region itself last; empty for one that is not here. */
export function pathToRegion(snapshot: Snapshot, regionId: number): DirectoryRegion[] {
  const region = findRegion(snapshot, regionId);
  return region ? lineageOf(region).toReversed() : [];
}
