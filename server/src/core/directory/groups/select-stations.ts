import type { DirectoryStation, Snapshot } from '../snapshot/snapshot.ts';
import { MAX_STATIONS } from '../snapshot/station-draft.ts';
import {
  fits,
  matchesAll,
  compileFilter,
  type CompiledFilter,
  type StationFilter,
} from './compiled-filter.ts';
import { FamiliesShown, foldedRanks, type OneLine } from './once-per-family.ts';

export interface PageRequest extends StationFilter {
  readonly offset: number;
  /** Capped at `MAX_PAGE_LENGTH`. */
  readonly limit: number;
  /** A family is shown by its most popular station that matches. */
  readonly oneLine?: OneLine | undefined;
}

export class StationPage {
  readonly ranks: readonly number[];
  /** Whether the list continues after this page. */
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

export const MAX_PAGE_LENGTH = 1000;

/**
 * A page of the matching stations, the most popular first. Where some do not match, the list is walked from its start
 * whatever the offset: a few nanoseconds per station, cheaper than storing where each caller's page ended.
 */
export function selectStations(snapshot: Snapshot, request: PageRequest): StationPage {
  const found: number[] = [];
  const compiled = compileFilter(snapshot, request);
  if (!compiled) return new StationPage(snapshot, found, false);
  const { lists, wanted } = compiled;
  const ranks = lists[0] ?? snapshot.everyRank;
  const isBySound = lists.length < 2 && !compiled.where;
  const limit = Math.min(request.limit, MAX_PAGE_LENGTH);
  let skip = Math.max(0, request.offset);
  let place = 0;
  if (request.oneLine && isBySound) {
    const shown = foldedRanks(compiled, ranks, request.oneLine);
    const end = skip + limit;
    for (place = skip; place < end && place < shown.length; place++) found.push(shown[place]!);
    return new StationPage(snapshot, found, end < shown.length);
  }
  const families = request.oneLine && new FamiliesShown(snapshot, request.oneLine);
  if (matchesAll(compiled)) [place, skip] = [skip, 0];
  for (; place < ranks.length; place++) {
    const rank = ranks[place]!;
    // Most lists are filtered only by the caller's formats; checking that inline halves the time of the walk.
    if (isBySound ? (snapshot.playable[rank]! & wanted) === 0 : !fits(compiled, rank, 1)) continue;
    if (families?.add(rank) === false) continue;
    if (skip > 0) skip--;
    else if (found.length >= limit) return new StationPage(snapshot, found, true);
    else found.push(rank);
  }
  return new StationPage(snapshot, found, false);
}

/** Visits every matching station, the most popular first. */
export function eachStation(
  snapshot: Snapshot,
  filter: StationFilter,
  visit: (station: DirectoryStation, rank: number) => void,
): void {
  const compiled = compileFilter(snapshot, filter);
  if (!compiled) return;
  for (const rank of compiled.lists[0] ?? snapshot.everyRank)
    if (fits(compiled, rank, 1)) visit(snapshot.stations[rank]!, rank);
}

/** How many stations match. */
export function countStations(snapshot: Snapshot, filter: StationFilter): number {
  const compiled = compileFilter(snapshot, filter);
  if (!compiled) return 0;
  const ranks = compiled.lists[0] ?? snapshot.everyRank;
  if (matchesAll(compiled)) return ranks.length;
  let count = 0;
  for (const rank of ranks) if (fits(compiled, rank, 1)) count += 1;
  return count;
}

/** Whether any station matches. */
export function hasStations(snapshot: Snapshot, filter: StationFilter): boolean {
  const compiled = compileFilter(snapshot, filter);
  if (!compiled) return false;
  if (compiled.where) return hasAny(compiled);
  // A group whose mask shares a format with the caller has at least one station that does.
  return compiled.lists.length === 1 || cachedAnswer(snapshot, filter, () => hasAny(compiled));
}

const hasAny = (compiled: CompiledFilter): boolean =>
  (compiled.lists[0] ?? compiled.snapshot.everyRank).some((rank) => fits(compiled, rank, 1));

const answers = new WeakMap<Snapshot, Map<string, boolean>>();
/** The genres times the languages times a few sets of formats; when it is full, the cache is cleared. */
const MAX_ANSWERS = 50_000;

/** A menu checks this for every genre in every language, and lists with nothing in common are walked to the end. */
function cachedAnswer(snapshot: Snapshot, filter: StationFilter, answer: () => boolean): boolean {
  let known = answers.get(snapshot);
  if (!known) answers.set(snapshot, (known = new Map()));
  const { formats, genreId, regionId, languageId, affiliateId } = filter;
  const key = `${formats} ${genreId} ${regionId} ${languageId} ${affiliateId}`;
  let has = known.get(key);
  if (has === undefined) {
    if (known.size >= MAX_ANSWERS) known.clear();
    known.set(key, (has = answer()));
  }
  return has;
}

/** The orders a list can have besides popularity, each with the value it sorts by, highest first. */
const COUNTED = {
  votes: ({ votes }: DirectoryStation) => votes,
  clicks: ({ clicks }: DirectoryStation) => clicks,
  added: ({ addedHour }: DirectoryStation) => addedHour,
  /** The same on every page of a list, different for each state of the directory. */
  random: ({ id }: DirectoryStation, { version }: Snapshot) => mixBits(id ^ Math.imul(version, 0x9e3779b1)),
} as const;

export type StationOrder = 'popularity' | keyof typeof COUNTED;

/**
 * A page of the matching stations in the given order. All of them are sorted for each page, as numbers: a few
 * milliseconds for the largest list.
 */
export function stationsInOrder(snapshot: Snapshot, order: StationOrder, request: PageRequest): StationPage {
  if (order === 'popularity') return selectStations(snapshot, request);
  const keys = keysInOrder(snapshot, order, request);
  const start = Math.max(0, request.offset);
  const end = start + Math.min(request.limit, MAX_PAGE_LENGTH);
  return new StationPage(snapshot, Array.from(keys.subarray(start, end), rankOf), end < keys.length);
}

const MAX_COUNTED = 2 ** 31 - 1;

/** Keys that sort by count, descending, and then by rank: 31 bits and 21 fit the 53 that a number holds exactly. */
function keysInOrder(snapshot: Snapshot, order: keyof typeof COUNTED, request: PageRequest): Float64Array {
  const keys: number[] = [];
  const families = request.oneLine && new FamiliesShown(snapshot, request.oneLine);
  eachStation(snapshot, request, (station, rank) => {
    if (families?.add(rank) === false) return;
    const count = Math.min(COUNTED[order](station, snapshot), MAX_COUNTED);
    keys.push((MAX_COUNTED - count) * MAX_STATIONS + rank);
  });
  return Float64Array.from(keys).toSorted();
}

const rankOf = (key: number): number => key % MAX_STATIONS;

/** Mixes the bits: each of the 31 result bits depends on all input bits. */
function mixBits(number: number): number {
  const once = Math.imul(number ^ (number >>> 16), 0x45d9f3b);
  const twice = Math.imul(once ^ (once >>> 16), 0x45d9f3b);
  return (twice ^ (twice >>> 16)) >>> 1;
}
