import type { DirectoryStation, Snapshot } from './snapshot.ts';

/** Undefined also for a station that is not listed or cannot be heard: on the air it does not exist. */
export const findStation = (snapshot: Snapshot, id: number): DirectoryStation | undefined =>
  snapshot.stationById.get(id);
