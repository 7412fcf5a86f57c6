import type { FormatMask } from '../lib/stream-format.ts';
import { ANYTHING, wantedBits } from './playable.ts';
import type { DirectoryStation, Snapshot, StationGroup } from './snapshot.ts';

/** Which stations are meant: those that fit everything said here. */
export interface StationFilter {
  /** What the caller plays; `ALL_FORMATS` when it did not say. */
  readonly formats: FormatMask;
  readonly genreId?: number | undefined;
  readonly regionId?: number | undefined;
  readonly languageId?: number | undefined;
  readonly affiliateId?: number | undefined;
  readonly where?: ((station: DirectoryStation) => boolean) | undefined;
}

/** A filter made ready for one snapshot. */
export interface Sieve {
  readonly snapshot: Snapshot;
  readonly wanted: FormatMask;
  /** A station must be in each of these; the shortest first. */
  readonly lists: readonly Int32Array[];
  readonly where: ((station: DirectoryStation) => boolean) | undefined;
}

/** Undefined when it is plain that nothing fits: an unknown id, or a group of which nothing plays on the caller. */
export function makeSieve(snapshot: Snapshot, filter: StationFilter): Sieve | undefined {
  const wanted = wantedBits(filter.formats);
  const lists: Int32Array[] = [];
  const takes = (groups: ReadonlyMap<number, StationGroup>, id: number | undefined): boolean => {
    if (id === undefined) return true;
    const group = groups.get(id);
    if (!group || (group.playable & wanted) === 0) return false;
    lists.push(group.ranks);
    return true;
  };
  const possible =
    takes(snapshot.genreById, filter.genreId) &&
    takes(snapshot.regionById, filter.regionId) &&
    takes(snapshot.languageById, filter.languageId) &&
    takes(snapshot.affiliateById, filter.affiliateId);
  if (!possible) return undefined;
  if (lists.length > 1) lists.sort((a, b) => a.length - b.length);
  return { snapshot, wanted, lists, where: filter.where };
}

/** Whether the station of a rank fits, looking at the lists from `first` on. */
export function fits({ snapshot, wanted, lists, where }: Sieve, rank: number, first = 0): boolean {
  if ((snapshot.playable[rank]! & wanted) === 0) return false;
  for (let list = first; list < lists.length; list++) if (!holds(lists[list]!, rank)) return false;
  return where === undefined || where(snapshot.stations[rank]!);
}

/** Whether all that is in the shortest list fits. */
export const letsAllThrough = ({ wanted, lists, where }: Sieve): boolean =>
  wanted === ANYTHING && lists.length < 2 && where === undefined;

/** By bisection: lists are in rising order. */
function holds(ranks: Int32Array, rank: number): boolean {
  let low = 0;
  let high = ranks.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ranks[middle]! < rank) low = middle + 1;
    else high = middle;
  }
  return ranks[low] === rank;
}
