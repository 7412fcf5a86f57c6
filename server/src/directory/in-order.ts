import { MOST_STATIONS } from './rank-stations.ts';
import {
  LONGEST_PAGE,
  type PageRequest,
  StationPage,
  eachStation,
  selectStations,
} from './select-stations.ts';
import type { StationFilter } from './sieve.ts';
import type { DirectoryStation, Snapshot } from './snapshot.ts';

/** The orders a list can have beside popularity, each by what it counts; the most first. */
const COUNTED = {
  votes: ({ votes }: DirectoryStation) => votes,
  clicks: ({ clicks }: DirectoryStation) => clicks,
  /** The same for every page of a list, another for each state of the directory. */
  random: ({ id }: DirectoryStation, { version }: Snapshot) => stirred(id ^ Math.imul(version, 0x9e3779b1)),
} as const;

export type StationOrder = 'popularity' | keyof typeof COUNTED;

/**
 * A page of the stations that fit in an order of choice. All of them are sorted for each page, as numbers: some
 * milliseconds for the largest list there is.
 */
export function stationsInOrder(snapshot: Snapshot, order: StationOrder, request: PageRequest): StationPage {
  if (order === 'popularity') return selectStations(snapshot, request);
  const keys = keysInOrder(snapshot, order, request);
  const start = Math.max(0, request.offset);
  const end = start + Math.min(request.limit, LONGEST_PAGE);
  return new StationPage(snapshot, Array.from(keys.subarray(start, end), rankOf), end < keys.length);
}

const MOST_COUNTED = 2 ** 31 - 1;

/** Keys that sort by count, falling, and then by rank: 31 bits and 21 fit the 53 that a number holds exactly. */
function keysInOrder(snapshot: Snapshot, order: keyof typeof COUNTED, filter: StationFilter): Float64Array {
  const keys: number[] = [];
  eachStation(snapshot, filter, (station, rank) => {
    const count = Math.min(COUNTED[order](station, snapshot), MOST_COUNTED);
    keys.push((MOST_COUNTED - count) * MOST_STATIONS + rank);
  });
  return Float64Array.from(keys).toSorted();
}

const rankOf = (key: number): number => key % MOST_STATIONS;

/** A number of 31 bits in which each bit depends on all of the given ones. */
function stirred(number: number): number {
  const once = Math.imul(number ^ (number >>> 16), 0x45d9f3b);
  const twice = Math.imul(once ^ (once >>> 16), 0x45d9f3b);
  return (twice ^ (twice >>> 16)) >>> 1;
}
