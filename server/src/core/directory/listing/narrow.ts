import type { DirectoryAffiliate, Snapshot } from '../snapshot/snapshot.ts';
import { MAX_STATIONS } from '../snapshot/station-draft.ts';
import { type Dimension, type DimensionName, type Dimensions, DIMENSIONS } from './dimensions.ts';

/** What a listener chose: at most one option of each. An option that no station has matches nothing. */
export type Choice = Readonly<Partial<Record<DimensionName, string>>>;

interface Counted {
  option: string;
  /** How long the list is when this is chosen, in the place of what is chosen of the same dimension. */
  count: number;
}

/** A list of stations, narrowed down. */
export interface Narrowed {
  /** In the order of the list. */
  readonly ranks: Int32Array;
  /** Those with any station, the largest first. */
  readonly counts: Readonly<Record<DimensionName, readonly Counted[]>>;
  /** By the rank of a line that stands for several stations of the list: the network that has them. */
  readonly networks: ReadonlyMap<number, DirectoryAffiliate>;
}

export interface NarrowOptions {
  choice: Choice;
  /** Of the snapshot. */
  dimensions: Dimensions;
  /** Each family is one line: the first of it that matches. */
  oneLine: boolean;
}

/**
 * Walks the list once. A station that matches everything is a line of it and counts for all its options; one that fails
 * in a single dimension would be a line if another option of that were chosen, and counts for its own options there.
 */
export function narrow(
  snapshot: Snapshot,
  ranks: Iterable<number>,
  { choice, dimensions: all, oneLine }: NarrowOptions,
): Narrowed {
  const dimensions = DIMENSIONS.map((name) => new Tally(all[name], choice[name]));
  const { familyOf, membersOf, networkOf } = snapshot.families;
  const [found, shown, folded]: [number[], Map<number, number>, Set<number>] = [[], new Map(), new Set()];
  for (const rank of ranks) {
    const failed = failedOf(dimensions, rank);
    if (failed === 'several') continue;
    const family = oneLine && membersOf.has(familyOf[rank]!) ? familyOf[rank] : undefined;
    if (failed !== 'none') failed.count(rank, family);
    else {
      for (const dimension of dimensions) dimension.count(rank, family);
      const first = family === undefined ? undefined : shown.get(family);
      if (first === undefined) found.push(rank);
      else folded.add(first);
      if (family !== undefined && first === undefined) shown.set(family, rank);
    }
  }
  const networks = new Map<number, DirectoryAffiliate>();
  for (const rank of folded) {
    const network = networkOf.get(familyOf[rank]!);
    if (network) networks.set(rank, network);
  }
  const [country, language, quality, kind] = dimensions.map((dimension) => dimension.result());
  return {
    ranks: Int32Array.from(found),
    counts: { country: country!, language: language!, quality: quality!, kind: kind! },
    networks,
  };
}

function failedOf(dimensions: readonly Tally[], rank: number): Tally | 'none' | 'several' {
  let failed: Tally | 'none' = 'none';
  for (const dimension of dimensions) {
    if (dimension.has(rank)) continue;
    if (failed !== 'none') return 'several';
    failed = dimension;
  }
  return failed;
}

/** The counts of one dimension. */
class Tally {
  readonly #dimension: Dimension;
  readonly #counts: Uint32Array;
  /** By set, whether it has the chosen option; undefined when nothing is chosen. */
  readonly #isChosen: Uint8Array | undefined;
  /** Families by option: a family counts once for each. */
  readonly #families = new Set<number>();

  constructor(dimension: Dimension, chosen: string | undefined) {
    this.#dimension = dimension;
    this.#counts = new Uint32Array(dimension.options.length);
    if (chosen === undefined) return;
    const option = dimension.options.indexOf(chosen);
    this.#isChosen = Uint8Array.from(dimension.sets, (set) => (set.includes(option) ? 1 : 0));
  }

  has(rank: number): boolean {
    return this.#isChosen === undefined || this.#isChosen[this.#dimension.setOf[rank]!] === 1;
  }

  count(rank: number, family: number | undefined): void {
    const { sets, setOf } = this.#dimension;
    for (const option of sets[setOf[rank]!]!) {
      if (family !== undefined) {
        const key = option * MAX_STATIONS + family;
        if (this.#families.has(key)) continue;
        this.#families.add(key);
      }
      this.#counts[option]! += 1;
    }
  }

  result(): Counted[] {
    const { options } = this.#dimension;
    return options
      .map((option, index) => ({ option, count: this.#counts[index]! }))
      .filter(({ count }) => count > 0)
      .toSorted((a, b) => b.count - a.count || (a.option < b.option ? -1 : 1));
  }
}
