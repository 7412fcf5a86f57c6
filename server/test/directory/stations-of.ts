import {
  type PageRequest,
  selectStations,
  type StationPage,
} from '../../src/core/directory/groups/select-stations.ts';
import type { Snapshot } from '../../src/core/directory/snapshot/snapshot.ts';

/** The stations of a genre and of the genres under it, the most popular first. */
export const stationsOfGenre = (snapshot: Snapshot, genreId: number, request: PageRequest): StationPage =>
  selectStations(snapshot, { ...request, genreId });

export const stationsOfLanguage = (
  snapshot: Snapshot,
  languageId: number,
  request: PageRequest,
): StationPage => selectStations(snapshot, { ...request, languageId });

/** The stations in a region and in the regions inside it, the most popular first. */
export const stationsOfRegion = (snapshot: Snapshot, regionId: number, request: PageRequest): StationPage =>
  selectStations(snapshot, { ...request, regionId });
