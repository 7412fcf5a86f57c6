import { type PageRequest, type StationPage, selectStations } from './select-stations.ts';
import type { Snapshot } from './snapshot.ts';

/** The most popular stations of all that fit. */
export const popularStations = (snapshot: Snapshot, request: PageRequest): StationPage =>
  selectStations(snapshot, request);
