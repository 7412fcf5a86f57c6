import { type PageRequest, type StationPage, hasStations, selectStations } from './select-stations.ts';
import type { StationFilter } from './sieve.ts';
import type { DirectoryLanguage, Snapshot } from './snapshot.ts';

export const findLanguage = (snapshot: Snapshot, id: number): DirectoryLanguage | undefined =>
  snapshot.languageById.get(id);

export const stationsOfLanguage = (
  snapshot: Snapshot,
  languageId: number,
  request: PageRequest,
): StationPage => selectStations(snapshot, { ...request, languageId });

/** The languages that have a station that fits, by name; `stationCount` counts all, fitting or not. */
export const listSpokenLanguages = (snapshot: Snapshot, filter: StationFilter): DirectoryLanguage[] =>
  snapshot.languages.filter(({ id }) => hasStations(snapshot, { ...filter, languageId: id }));
