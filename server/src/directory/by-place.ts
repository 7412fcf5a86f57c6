import { type PageRequest, type StationPage, hasStations, selectStations } from './select-stations.ts';
import type { StationFilter } from './sieve.ts';
import type { DirectoryRegion, Snapshot } from './snapshot.ts';
import { lineageOf } from './tree.ts';

/** Undefined also for a region without stations; those are known to the catalogue alone. */
export const findRegion = (snapshot: Snapshot, id: number): DirectoryRegion | undefined =>
  snapshot.regionById.get(id);

const countries = new WeakMap<Snapshot, ReadonlyMap<string, DirectoryRegion>>();

/** A country by its ISO 3166-1 code, when it has stations. */
export function findCountryRegion(snapshot: Snapshot, countryCode: string): DirectoryRegion | undefined {
  let byCode = countries.get(snapshot);
  if (!byCode) {
    const regions = [...snapshot.regionById.values()].filter(({ kind }) => kind === 'country');
    countries.set(snapshot, (byCode = new Map(regions.map((region) => [region.code, region]))));
  }
  return byCode.get(`country:${countryCode}`);
}

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
