import type { DirectoryAffiliate, Snapshot } from '../snapshot/snapshot.ts';
import { type CompiledFilter, compileFilter, fits, type StationFilter } from './compiled-filter.ts';

/** Which stations a list takes for one: families, or also the local editions of a station. */
export type OneLine = 'family' | 'edition';

/** Lets the first station of each family pass; for a walk through a list, best first. */
export class FamiliesShown {
  readonly #familyOf: Int32Array;
  readonly #shown = new Set<number>();

  constructor({ families }: Snapshot, oneLine: OneLine) {
    this.#familyOf = oneLine === 'family' ? families.familyOf : families.editionOf;
  }

  has(rank: number): boolean {
    return this.#shown.has(this.#familyOf[rank]!);
  }

  /** False if another of its family was there before. */
  add(rank: number): boolean {
    const { size } = this.#shown;
    return this.#shown.add(this.#familyOf[rank]!).size > size;
  }
}

/** The first of each family, up to so many. */
export function firstOfFamilies(
  snapshot: Snapshot,
  ranks: Iterable<number>,
  oneLine: OneLine,
  most = Infinity,
): number[] {
  const shown = new FamiliesShown(snapshot, oneLine);
  const found: number[] = [];
  for (const rank of ranks) {
    if (found.length >= most) break;
    if (shown.add(rank)) found.push(rank);
  }
  return found;
}

const folded = new WeakMap<Int32Array, Map<string, Int32Array>>();
/** Sets of formats for which a list is kept; real callers have fewer. */
const MAX_KEPT = 8;

/**
 * A group's stations that the caller can play, each family by its most popular. Made once for a snapshot and a set of
 * formats: the largest takes some milliseconds, a page of it is a slice.
 */
export function foldedRanks(
  { snapshot, wanted }: CompiledFilter,
  ranks: Int32Array,
  oneLine: OneLine,
): Int32Array {
  let kept = folded.get(ranks);
  if (!kept) folded.set(ranks, (kept = new Map()));
  const key = `${oneLine} ${wanted}`;
  let list = kept.get(key);
  if (!list) {
    if (kept.size >= MAX_KEPT) kept.clear();
    const playable = ranks.filter((rank) => (snapshot.playable[rank]! & wanted) !== 0);
    kept.set(key, (list = Int32Array.from(firstOfFamilies(snapshot, playable, oneLine))));
  }
  return list;
}

/** Of a large family; whose first fifty are not in a list has nothing more to show there. */
const MAX_LOOKED_AT = 50;

type Networks = ReadonlyMap<number, DirectoryAffiliate>;

const knownNetworks = new WeakMap<Snapshot, Map<string, Networks>>();
/** Pages of genres for which they are kept: those that most callers look at. */
const MAX_PAGES_KEPT = 5000;

/** The networks behind lines of a list that stand for several stations of it, by rank: those of the first few such lines. */
export function networksBehind(
  snapshot: Snapshot,
  ranks: readonly number[],
  filter: StationFilter,
  most: number,
): Networks {
  const { formats, genreId, regionId, languageId, affiliateId, where } = filter;
  const isPageOfGenre = genreId !== undefined && where === undefined && ranks.length > 0;
  if (!isPageOfGenre) return findNetworks(snapshot, ranks, filter, most);
  let pages = knownNetworks.get(snapshot);
  if (!pages) knownNetworks.set(snapshot, (pages = new Map()));
  // The first and the last line tell which page of the list it is.
  const key = `${genreId},${regionId},${languageId},${affiliateId},${formats},${ranks[0]},${ranks.at(-1)},${ranks.length},${most}`;
  let found = pages.get(key);
  if (!found) {
    if (pages.size >= MAX_PAGES_KEPT) pages.clear();
    pages.set(key, (found = findNetworks(snapshot, ranks, filter, most)));
  }
  return found;
}

function findNetworks(
  snapshot: Snapshot,
  ranks: readonly number[],
  filter: StationFilter,
  most: number,
): Networks {
  const { familyOf, membersOf, networkOf } = snapshot.families;
  const found = new Map<number, DirectoryAffiliate>();
  let compiled: CompiledFilter | undefined;
  for (const rank of ranks) {
    if (found.size >= most) break;
    const network = networkOf.get(familyOf[rank]!);
    if (!network) continue;
    compiled ??= compileFilter(snapshot, filter);
    const members = membersOf.get(familyOf[rank]!)?.subarray(0, MAX_LOOKED_AT) ?? [];
    for (const other of members) {
      if (other === rank || !compiled || !fits(compiled, other)) continue;
      found.set(rank, network);
      break;
    }
  }
  return found;
}
