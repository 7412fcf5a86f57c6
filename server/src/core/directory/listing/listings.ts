import { ALL_FORMATS } from '../../../lib/stream-format.ts';
import { compileFilter, fits, matchesAll, type StationFilter } from '../groups/compiled-filter.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { DIMENSIONS, dimensionsOf } from './dimensions.ts';
import { type Choice, narrow, type Narrowed } from './narrow.ts';

/** The groups a list is made of: a station is in each of them. */
export type ListedGroups = Pick<StationFilter, 'genreId' | 'regionId' | 'languageId' | 'affiliateId'>;

/** Of all lists that are kept together: 8 MB. The largest list of a large directory is a tenth of it. */
const MAX_KEPT_RANKS = 2_000_000;
/** A list of few stations has its counts all the same. */
const LEAST_RANKS = 1000;

/** The lists of a snapshot that were asked for lately. */
interface Kept {
  lists: Map<string, Narrowed>;
  ranks: number;
}

/** Lists of stations by what a listener chose. Who asks for the next page, or goes back, finds the list made. */
export class Listings {
  readonly #kept = new WeakMap<Snapshot, Kept>();

  /** The stations of the groups that match the choice, the most popular first. */
  async find(snapshot: Snapshot, groups: ListedGroups, choice: Choice): Promise<Narrowed> {
    const dimensions = await dimensionsOf(snapshot);
    const kept = this.#kept.getOrInsertComputed(snapshot, () => ({ lists: new Map(), ranks: 0 }));
    const { genreId, regionId, languageId, affiliateId } = groups;
    const chosen = DIMENSIONS.map((name) => choice[name]);
    const key = JSON.stringify([genreId, regionId, languageId, affiliateId, ...chosen]);
    const found = kept.lists.get(key);
    const list =
      found ??
      narrow(snapshot, ranksOf(snapshot, groups), { choice, dimensions, oneLine: isOneLine(groups) });
    // Put back at the end: what was asked for longest ago goes first.
    if (found) kept.lists.delete(key);
    else kept.ranks += sizeOf(list);
    kept.lists.set(key, list);
    for (const [oldest, old] of kept.lists) {
      if (kept.ranks <= MAX_KEPT_RANKS) break;
      kept.lists.delete(oldest);
      kept.ranks -= sizeOf(old);
    }
    return list;
  }
}

const sizeOf = ({ ranks }: Narrowed): number => Math.max(LEAST_RANKS, ranks.length);

/** As in the menus of radios: who looks at a place or a network wants all of it. */
const isOneLine = ({ genreId, regionId, languageId, affiliateId }: ListedGroups): boolean =>
  genreId !== undefined && regionId === undefined && languageId === undefined && affiliateId === undefined;

function ranksOf(snapshot: Snapshot, groups: ListedGroups): Iterable<number> {
  const compiled = compileFilter(snapshot, { ...groups, formats: ALL_FORMATS });
  if (!compiled) return [];
  const ranks = compiled.lists[0] ?? snapshot.everyRank;
  return matchesAll(compiled) ? ranks : ranks.filter((rank) => fits(compiled, rank, 1));
}
