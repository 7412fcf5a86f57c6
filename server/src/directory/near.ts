import type { Coordinate } from '../lib/geo.ts';
import { EARTH_RADIUS_KM, nearestRanks } from './nearest-ranks.ts';
import { LONGEST_PAGE, type PageRequest, StationPage } from './select-stations.ts';
import { makeSieve } from './sieve.ts';
import type { Snapshot } from './snapshot.ts';

export interface NearRequest extends PageRequest {
  /** As far as this and no farther; all the world unless told. */
  readonly withinKm?: number | undefined;
}

/**
 * A page of the stations that fit, the nearest first; at the same distance the most popular first. Pages end with the
 * thousandth nearest: each has to be found with all those before it.
 */
export function near(snapshot: Snapshot, place: Coordinate, request: NearRequest): StationPage {
  const sieve = makeSieve(snapshot, request);
  if (!sieve) return new StationPage(snapshot, [], false);
  const offset = Math.max(0, request.offset);
  const end = Math.min(offset + request.limit, LONGEST_PAGE);
  const ranks = nearestRanks(sieve, place, end + 1, reachKm(request));
  return new StationPage(snapshot, ranks.slice(offset, end), ranks.length > end && end < LONGEST_PAGE);
}

const FARTHEST_KM = Math.PI * EARTH_RADIUS_KM;

/** A search measures by sine, for which once round the earth is no distance at all. */
const reachKm = ({ withinKm = Infinity }: NearRequest): number =>
  withinKm < FARTHEST_KM ? withinKm : Infinity;
