import { ALL_FORMATS, type FormatMask } from '../../../lib/stream-format.ts';
import type { DirectoryStation, Snapshot, StationGroup } from '../snapshot/snapshot.ts';

/** Selects stations; a station must match every field that is set. */
export interface StationFilter {
  /** What the caller plays; `ALL_FORMATS` when it named no formats. */
  readonly formats: FormatMask;
  readonly genreId?: number | undefined;
  readonly regionId?: number | undefined;
  readonly languageId?: number | undefined;
  readonly affiliateId?: number | undefined;
  readonly where?: ((station: DirectoryStation) => boolean) | undefined;
}

/** A filter resolved against one snapshot. */
export interface CompiledFilter {
  readonly snapshot: Snapshot;
  readonly wanted: FormatMask;
  /** A station must be in each of these lists; the shortest comes first. */
  readonly lists: readonly Int32Array[];
  readonly where: ((station: DirectoryStation) => boolean) | undefined;
}

/** Undefined when nothing can match: an unknown id, or a group with no station the caller can play. */
export function compileFilter(snapshot: Snapshot, filter: StationFilter): CompiledFilter | undefined {
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

/** Whether the station at a rank matches, checking the lists from `first` on. */
export function fits({ snapshot, wanted, lists, where }: CompiledFilter, rank: number, first = 0): boolean {
  if ((snapshot.playable[rank]! & wanted) === 0) return false;
  for (let list = first; list < lists.length; list++) if (!holds(lists[list]!, rank)) return false;
  return where === undefined || where(snapshot.stations[rank]!);
}

/** Whether every station of the shortest list matches. */
export const matchesAll = ({ wanted, lists, where }: CompiledFilter): boolean =>
  wanted === ANYTHING && lists.length < 2 && where === undefined;

/** Binary search: lists are in ascending order. */
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

/**
 * Stands for a stream of unknown format. It is not a format, so a caller that names formats is never sent to such a
 * stream: a radio that fails on it blames the directory. A caller that accepts everything gets it too.
 */
const UNKNOWN_FORMAT: FormatMask = 1 << 30;

/** A station must have at least one of these bits. A caller that names no formats has the mask of all formats. */
export const wantedBits = (formats: FormatMask): FormatMask =>
  (formats & ALL_FORMATS) === ALL_FORMATS ? ANYTHING : formats;

export const ANYTHING: FormatMask = ALL_FORMATS | UNKNOWN_FORMAT;

interface Plays {
  readonly formats: FormatMask;
  readonly hasUnknownFormat: boolean;
}

export const playableBits = ({ formats, hasUnknownFormat }: Plays): FormatMask =>
  hasUnknownFormat ? formats | UNKNOWN_FORMAT : formats;
