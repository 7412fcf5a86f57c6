import { type StationFilter, fits, letsAllThrough, makeSieve } from './sieve.ts';
import type { DirectoryStation, Snapshot } from './snapshot.ts';

export interface PageRequest extends StationFilter {
  readonly offset: number;
  /** No page is longer than `LONGEST_PAGE`, whatever is asked for. */
  readonly limit: number;
}

export interface StationPage {
  readonly stations: DirectoryStation[];
  /** Whether the list goes on behind the page. */
  readonly more: boolean;
}

export const LONGEST_PAGE = 1000;

/**
 * A page of the stations that fit, the most popular first. Where some do not fit, the list is walked from its start
 * whatever the offset: some nanoseconds a station, which is less than remembering where each caller's page ended.
 */
export function selectStations(snapshot: Snapshot, request: PageRequest): StationPage {
  const stations: DirectoryStation[] = [];
  const sieve = makeSieve(snapshot, request);
  if (!sieve) return { stations, more: false };
  const ranks = sieve.lists[0] ?? snapshot.everyRank;
  const limit = Math.min(request.limit, LONGEST_PAGE);
  let skip = Math.max(0, request.offset);
  let place = 0;
  if (letsAllThrough(sieve)) [place, skip] = [skip, 0];
  for (; place < ranks.length; place++) {
    const rank = ranks[place]!;
    if (!fits(sieve, rank, 1)) continue;
    if (skip > 0) skip--;
    else if (stations.length >= limit) return { stations, more: true };
    else stations.push(snapshot.stations[rank]!);
  }
  return { stations, more: false };
}

/** Whether any station fits. */
export function hasStations(snapshot: Snapshot, filter: StationFilter): boolean {
  const sieve = makeSieve(snapshot, filter);
  if (!sieve) return false;
  return (sieve.lists[0] ?? snapshot.everyRank).some((rank) => fits(sieve, rank, 1));
}
