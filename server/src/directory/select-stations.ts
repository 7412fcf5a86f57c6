import { type Sieve, type StationFilter, fits, letsAllThrough, makeSieve } from './sieve.ts';
import type { DirectoryStation, Snapshot } from './snapshot.ts';

export interface PageRequest extends StationFilter {
  readonly offset: number;
  /** No page is longer than `LONGEST_PAGE`, whatever is asked for. */
  readonly limit: number;
}

export class StationPage {
  readonly ranks: readonly number[];
  /** Whether the list goes on behind the page. */
  readonly more: boolean;
  readonly #snapshot: Snapshot;

  constructor(snapshot: Snapshot, ranks: readonly number[], more: boolean) {
    this.#snapshot = snapshot;
    this.ranks = ranks;
    this.more = more;
  }

  get stations(): DirectoryStation[] {
    return this.ranks.map((rank) => this.#snapshot.stations[rank]!);
  }
}

export const LONGEST_PAGE = 1000;

/**
 * A page of the stations that fit, the most popular first. Where some do not fit, the list is walked from its start
 * whatever the offset: some nanoseconds a station, which is less than remembering where each caller's page ended.
 */
export function selectStations(snapshot: Snapshot, request: PageRequest): StationPage {
  const found: number[] = [];
  const sieve = makeSieve(snapshot, request);
  if (!sieve) return new StationPage(snapshot, found, false);
  const { lists, wanted } = sieve;
  const ranks = lists[0] ?? snapshot.everyRank;
  const isBySound = lists.length < 2 && !sieve.where;
  const limit = Math.min(request.limit, LONGEST_PAGE);
  let skip = Math.max(0, request.offset);
  let place = 0;
  if (letsAllThrough(sieve)) [place, skip] = [skip, 0];
  for (; place < ranks.length; place++) {
    const rank = ranks[place]!;
    // Most lists are narrowed down by what the caller plays alone; asked in line, that is half of the walk.
    if (isBySound ? (snapshot.playable[rank]! & wanted) === 0 : !fits(sieve, rank, 1)) continue;
    if (skip > 0) skip--;
    else if (found.length >= limit) return new StationPage(snapshot, found, true);
    else found.push(rank);
  }
  return new StationPage(snapshot, found, false);
}

/** Visits every station that fits, the most popular first. */
export function eachStation(
  snapshot: Snapshot,
  filter: StationFilter,
  visit: (station: DirectoryStation, rank: number) => void,
): void {
  const sieve = makeSieve(snapshot, filter);
  if (!sieve) return;
  for (const rank of sieve.lists[0] ?? snapshot.everyRank)
    if (fits(sieve, rank, 1)) visit(snapshot.stations[rank]!, rank);
}

/** Whether any station fits. */
export function hasStations(snapshot: Snapshot, filter: StationFilter): boolean {
  const sieve = makeSieve(snapshot, filter);
  if (!sieve) return false;
  if (sieve.where) return hasAny(sieve);
  // A group that plays something the caller plays has a station that does.
  return sieve.lists.length === 1 || remembered(snapshot, filter, () => hasAny(sieve));
}

const hasAny = (sieve: Sieve): boolean =>
  (sieve.lists[0] ?? sieve.snapshot.everyRank).some((rank) => fits(sieve, rank, 1));

const answers = new WeakMap<Snapshot, Map<string, boolean>>();
/** The genres times the languages times a few sets of formats; beyond that it begins anew. */
const MOST_ANSWERS = 50_000;

/** A menu asks this of every genre in every language, and two lists that share nothing are walked to their end. */
function remembered(snapshot: Snapshot, filter: StationFilter, answer: () => boolean): boolean {
  let known = answers.get(snapshot);
  if (!known) answers.set(snapshot, (known = new Map()));
  const { formats, genreId, regionId, languageId, affiliateId } = filter;
  const key = `${formats} ${genreId} ${regionId} ${languageId} ${affiliateId}`;
  let has = known.get(key);
  if (has === undefined) {
    if (known.size >= MOST_ANSWERS) known.clear();
    known.set(key, (has = answer()));
  }
  return has;
}
