import { inTurns } from './in-turns.ts';
import type { DirectoryStation, StationGroup } from './snapshot.ts';

export type GroupDraft = { -readonly [Key in keyof StationGroup]: StationGroup[Key] };

const NO_RANKS = new Int32Array(0);

export const emptyGroup = (id: number, name: string): GroupDraft => ({
  id,
  name,
  stationCount: 0,
  ranks: NO_RANKS,
  playable: 0,
});

/**
 * Gives each group the ranks of its stations. They are dealt out in order of rank, so every list is in order of
 * popularity without being sorted. `groupsOf` names a group at most once for a station.
 */
export async function groupStations(
  stations: readonly DirectoryStation[],
  playable: Int32Array,
  groupsOf: (station: DirectoryStation) => readonly GroupDraft[],
): Promise<void> {
  const used = new Set<GroupDraft>();
  await inTurns(stations, (station, rank) => {
    for (const group of groupsOf(station)) {
      if (group.stationCount++ === 0) used.add(group);
      group.playable |= playable[rank]!;
    }
  });
  for (const group of used) {
    group.ranks = new Int32Array(group.stationCount);
    group.stationCount = 0;
  }
  await inTurns(stations, (station, rank) => {
    for (const group of groupsOf(station)) group.ranks[group.stationCount++] = rank;
  });
}

/** The same answer for the same key, worked out once; keys are ids, or arrays of ids that stations share. */
export function remembered<Key, Value>(work: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    let value = known.get(key);
    if (value === undefined) known.set(key, (value = work(key)));
    return value;
  };
}
