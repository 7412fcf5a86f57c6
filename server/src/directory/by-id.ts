import type { DirectoryStation, Snapshot } from './snapshot.ts';

/** Undefined also for a station that is not listed or cannot be heard: on the air it does not exist. */
export const findStation = (
  snapshot: Pick<Snapshot, 'stationById'>,
  id: number,
): DirectoryStation | undefined => snapshot.stationById.get(id);

const stationsByStream = new WeakMap<Snapshot, ReadonlyMap<number, DirectoryStation>>();

/** The station of a stream. Few ask, so the index is made when the first one does, once for a snapshot. */
export function findStationOfStream(snapshot: Snapshot, streamId: number): DirectoryStation | undefined {
  let index = stationsByStream.get(snapshot);
  if (!index) {
    index = new Map(
      snapshot.stations.flatMap((station) => station.streams.map(({ id }) => [id, station] as const)),
    );
    stationsByStream.set(snapshot, index);
  }
  return index.get(streamId);
}
