import { type PageRequest, type StationPage, selectStations } from './select-stations.ts';
import type { DirectoryAffiliate, DirectoryStation, Snapshot } from './snapshot.ts';

export const findAffiliate = (snapshot: Snapshot, id: number): DirectoryAffiliate | undefined =>
  snapshot.affiliateById.get(id);

/** The stations of a network, the most popular first. */
export const stationsOfAffiliate = (
  snapshot: Snapshot,
  affiliateId: number,
  request: PageRequest,
): StationPage => selectStations(snapshot, { ...request, affiliateId });

/** The networks a station belongs to. */
export const affiliatesOfStation = (
  snapshot: Snapshot,
  { affiliateIds }: DirectoryStation,
): DirectoryAffiliate[] =>
  affiliateIds.map((id) => snapshot.affiliateById.get(id)).filter((affiliate) => affiliate !== undefined);
