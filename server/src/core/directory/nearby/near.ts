import type { Coordinate } from '../../../lib/geo.ts';
import type { FormatMask } from '../../../lib/stream-format.ts';
import { MAX_PAGE_LENGTH, type PageRequest, StationPage } from '../groups/select-stations.ts';
import { ANYTHING, fits, compileFilter, type CompiledFilter } from '../groups/compiled-filter.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import {
  EARTH_RADIUS_KM,
  LEAF_LOCATIONS,
  middleOf,
  type Position,
  positionOf,
  squaredDistance,
  squaredReach,
} from './locations.ts';

export interface NearRequest extends PageRequest {
  /** Unlimited unless set. */
  readonly withinKm?: number | undefined;
}

/**
 * A page of the matching stations, the nearest first; at the same distance the most popular first. Pages end at the
 * thousandth station: finding a page means finding all those before it.
 */
export function near(snapshot: Snapshot, place: Coordinate, request: NearRequest): StationPage {
  const compiled = compileFilter(snapshot, request);
  if (!compiled) return new StationPage(snapshot, [], false);
  const offset = Math.max(0, request.offset);
  const end = Math.min(offset + request.limit, MAX_PAGE_LENGTH);
  const ranks = nearestRanks(compiled, place, end + 1, reachKm(request));
  return new StationPage(snapshot, ranks.slice(offset, end), ranks.length > end && end < MAX_PAGE_LENGTH);
}

const MAX_DISTANCE_KM = Math.PI * EARTH_RADIUS_KM;

/** The search compares sines, by which a full turn around the earth has no length. */
const reachKm = ({ withinKm = Infinity }: NearRequest): number =>
  withinKm < MAX_DISTANCE_KM ? withinKm : Infinity;

/** The cost of visiting a location of the tree, in stations scanned one by one. */
const VISIT_COST = 20;

/** The nearest matching stations in order, at most `needed`. */
function nearestRanks(
  compiled: CompiledFilter,
  place: Coordinate,
  needed: number,
  withinKm: number,
): number[] {
  const search = isForTree(compiled, needed) ? searchTree : scan;
  return search(compiled, place, needed, withinKm);
}

/** The tree suits common filters: for a rare format or a small genre most of it would be walked in vain. */
function isForTree(compiled: CompiledFilter, needed: number): boolean {
  const { lists, where, snapshot } = compiled;
  if (where) return false;
  const ranks = lists[0] ?? snapshot.everyRank;
  const share = (ranks.length / snapshot.stations.length) * playingShare(compiled, ranks);
  return VISIT_COST * needed < ranks.length * share;
}

/** By list and by the caller's formats. */
const shares = new WeakMap<Int32Array, Map<FormatMask, number>>();
/** More sets of formats than callers use; when it is full, the cache is cleared. */
const MAX_SHARES = 1000;

/** Roughly the share of a list's stations that the caller can play. */
function playingShare(compiled: CompiledFilter, ranks: Int32Array): number {
  const { wanted } = compiled;
  if (wanted === ANYTHING) return 1;
  let known = shares.get(ranks);
  if (!known || known.size >= MAX_SHARES) shares.set(ranks, (known = new Map()));
  let share = known.get(wanted);
  if (share === undefined) known.set(wanted, (share = sampledShare(compiled, ranks)));
  return share;
}

/** Estimated from a sample of a hundred. */
function sampledShare({ snapshot, wanted }: CompiledFilter, ranks: Int32Array): number {
  const step = Math.max(1, Math.floor(ranks.length / 100));
  let seen = 0;
  let playing = 0;
  for (let at = 0; at < ranks.length; at += step) {
    seen++;
    if ((snapshot.playable[ranks[at]!]! & wanted) !== 0) playing++;
  }
  return playing / seen;
}

/** Descends to the caller's own part of the sphere first, then only where something nearer may be. */
export function searchTree(
  compiled: CompiledFilter,
  place: Coordinate,
  needed: number,
  withinKm: number,
): number[] {
  const { locations } = compiled.snapshot;
  const { axes, splits } = locations.tree;
  const position = positionOf(place);
  const nearest = new Nearest(needed, squaredReach(withinKm));
  const search = (node: number, from: number, to: number): void => {
    if (to - from <= LEAF_LOCATIONS) return lookAt(compiled, from, to, position, nearest);
    const middle = middleOf(from, to);
    const beyond = position[axes[node]!]! - splits[node]!;
    const isBeyond = beyond >= 0;
    if (isBeyond) search(2 * node + 2, middle, to);
    else search(2 * node + 1, from, middle);
    if (beyond * beyond > nearest.farthest) return;
    if (isBeyond) search(2 * node + 1, from, middle);
    else search(2 * node + 2, middle, to);
  };
  search(0, 0, locations.playable.length);
  return nearest.ranks;
}

function lookAt(
  compiled: CompiledFilter,
  from: number,
  to: number,
  position: Position,
  nearest: Nearest,
): void {
  const { locations } = compiled.snapshot;
  for (let location = from; location < to; location++) {
    if ((locations.playable[location]! & compiled.wanted) === 0) continue;
    const distance = squaredDistance(locations, location, position);
    if (distance <= nearest.farthest) offerLocation(compiled, location, distance, nearest);
  }
}

/** Measures every candidate. */
export function scan(
  compiled: CompiledFilter,
  place: Coordinate,
  needed: number,
  withinKm: number,
): number[] {
  const nearest = new Nearest(needed, squaredReach(withinKm));
  const [ranks] = compiled.lists;
  if (ranks) scanStations(compiled, ranks, positionOf(place), nearest);
  else lookAt(compiled, 0, compiled.snapshot.locations.playable.length, positionOf(place), nearest);
  return nearest.ranks;
}

function scanStations(
  compiled: CompiledFilter,
  ranks: Int32Array,
  position: Position,
  nearest: Nearest,
): void {
  const { locations } = compiled.snapshot;
  for (let at = 0; at < ranks.length; at++) {
    const rank = ranks[at]!;
    const location = locations.locationByRank[rank]!;
    if (location === -1) continue;
    const distance = squaredDistance(locations, location, position);
    if (distance <= nearest.farthest && fits(compiled, rank, 1)) nearest.offer(distance, rank);
  }
}

/** Visits every matching station within a distance, with its distance, in no order. */
export function eachWithin(
  compiled: CompiledFilter,
  place: Coordinate,
  withinKm: number,
  visit: (rank: number, km: number) => void,
): void {
  const { locations } = compiled.snapshot;
  const { axes, splits } = locations.tree;
  const position = positionOf(place);
  const reach = squaredReach(withinKm);
  const search = (node: number, from: number, to: number): void => {
    if (to - from <= LEAF_LOCATIONS) return visitLocations(compiled, from, to, position, reach, visit);
    const middle = middleOf(from, to);
    const beyond = position[axes[node]!]! - splits[node]!;
    const mayCross = beyond * beyond <= reach;
    if (beyond < 0 || mayCross) search(2 * node + 1, from, middle);
    if (beyond >= 0 || mayCross) search(2 * node + 2, middle, to);
  };
  search(0, 0, locations.playable.length);
}

function visitLocations(
  compiled: CompiledFilter,
  from: number,
  to: number,
  position: Position,
  reach: number,
  visit: (rank: number, km: number) => void,
): void {
  const { locations } = compiled.snapshot;
  for (let location = from; location < to; location++) {
    const squared = squaredDistance(locations, location, position);
    if (squared > reach || (locations.playable[location]! & compiled.wanted) === 0) continue;
    const km = 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(squared) / 2));
    for (let at = locations.starts[location]!; at < locations.starts[location + 1]!; at++) {
      const rank = locations.ranks[at]!;
      if (fits(compiled, rank)) visit(rank, km);
    }
  }
}

/** The stations of a location are in order of rank: once one is rejected, all later ones would be too. */
function offerLocation(compiled: CompiledFilter, location: number, distance: number, nearest: Nearest): void {
  const { starts, ranks } = compiled.snapshot.locations;
  for (let at = starts[location]!; at < starts[location + 1]!; at++) {
    const rank = ranks[at]!;
    if (fits(compiled, rank) && !nearest.offer(distance, rank)) return;
  }
}

/** The nearest few of many stations, sorted: the shorter distance first, then the lower rank. */
export class Nearest {
  /** Anything beyond this distance is rejected. */
  farthest: number;
  /** Sorted, the nearest first. */
  readonly ranks: number[] = [];
  readonly #distances: number[] = [];
  readonly #room: number;

  /** Anything farther than `limit` is rejected. */
  constructor(room: number, limit = Infinity) {
    this.#room = room;
    this.farthest = limit;
  }

  /** Inserts into a sorted array: of thousands offered few are accepted, most at the end. False when rejected. */
  offer(distance: number, rank: number): boolean {
    if (distance > this.farthest) return false;
    const distances = this.#distances;
    const { ranks } = this;
    let place = ranks.length;
    if (place === this.#room && !isAfter(distances[--place]!, ranks[place]!, distance, rank)) return false;
    for (; place > 0 && isAfter(distances[place - 1]!, ranks[place - 1]!, distance, rank); place--) {
      ranks[place] = ranks[place - 1]!;
      distances[place] = distances[place - 1]!;
    }
    ranks[place] = rank;
    distances[place] = distance;
    if (ranks.length === this.#room) this.farthest = distances[this.#room - 1]!;
    return true;
  }
}

const isAfter = (otherDistance: number, otherRank: number, distance: number, rank: number): boolean =>
  otherDistance > distance || (otherDistance === distance && otherRank > rank);
