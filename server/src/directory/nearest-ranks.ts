import type { Coordinate } from '../lib/geo.ts';
import type { FormatMask } from '../lib/stream-format.ts';
import { Nearest } from './nearest.ts';
import { ANYTHING } from './playable.ts';
import { type Position, positionOf } from './position.ts';
import { type Sieve, fits } from './sieve.ts';
import { LEAF_SITES, middleOf } from './site-tree.ts';
import { squaredDistance } from './sites.ts';

export const EARTH_RADIUS_KM = 6371;

/** What it costs to visit a site of the tree, in stations measured one by one. */
const VISIT_COST = 20;

/** The nearest that fit, in order, `needed` of them when there are so many. */
export function nearestRanks(sieve: Sieve, place: Coordinate, needed: number, withinKm: number): number[] {
  const search = isForTree(sieve, needed) ? searchTree : scan;
  return search(sieve, place, needed, withinKm);
}

/** The tree is for what is common: for a rare format or a small genre most of it would be walked in vain. */
function isForTree(sieve: Sieve, needed: number): boolean {
  const { lists, where, snapshot } = sieve;
  if (where) return false;
  const ranks = lists[0] ?? snapshot.everyRank;
  const share = (ranks.length / snapshot.stations.length) * playingShare(sieve, ranks);
  return VISIT_COST * needed < ranks.length * share;
}

/** By the list, and what the caller plays. */
const shares = new WeakMap<Int32Array, Map<FormatMask, number>>();
/** More sets of formats than callers have; beyond that it begins anew. */
const MOST_SHARES = 1000;

/** About how many of a list's stations the caller can play. */
function playingShare(sieve: Sieve, ranks: Int32Array): number {
  const { wanted } = sieve;
  if (wanted === ANYTHING) return 1;
  let known = shares.get(ranks);
  if (!known || known.size >= MOST_SHARES) shares.set(ranks, (known = new Map()));
  let share = known.get(wanted);
  if (share === undefined) known.set(wanted, (share = sampledShare(sieve, ranks)));
  return share;
}

/** By a look at a hundred of them. */
function sampledShare({ snapshot, wanted }: Sieve, ranks: Int32Array): number {
  const step = Math.max(1, Math.floor(ranks.length / 100));
  let seen = 0;
  let playing = 0;
  for (let at = 0; at < ranks.length; at += step) {
    seen++;
    if ((snapshot.playable[ranks[at]!]! & wanted) !== 0) playing++;
  }
  return playing / seen;
}

/** Goes down to the caller's own corner of the sphere first, and then only where something nearer may be. */
export function searchTree(sieve: Sieve, place: Coordinate, needed: number, withinKm: number): number[] {
  const { sites } = sieve.snapshot;
  const { axes, splits } = sites.tree;
  const position = positionOf(place);
  const nearest = new Nearest(needed, squaredLine(withinKm));
  const search = (node: number, from: number, to: number): void => {
    if (to - from <= LEAF_SITES) return lookAt(sieve, from, to, position, nearest);
    const middle = middleOf(from, to);
    const beyond = position[axes[node]!]! - splits[node]!;
    const isBeyond = beyond >= 0;
    if (isBeyond) search(2 * node + 2, middle, to);
    else search(2 * node + 1, from, middle);
    if (beyond * beyond > nearest.farthest) return;
    if (isBeyond) search(2 * node + 1, from, middle);
    else search(2 * node + 2, middle, to);
  };
  search(0, 0, sites.playable.length);
  return nearest.ranks;
}

function lookAt(sieve: Sieve, from: number, to: number, position: Position, nearest: Nearest): void {
  const { sites } = sieve.snapshot;
  for (let site = from; site < to; site++) {
    if ((sites.playable[site]! & sieve.wanted) === 0) continue;
    const distance = squaredDistance(sites, site, position);
    if (distance <= nearest.farthest) offerSite(sieve, site, distance, nearest);
  }
}

/** Measures all that may fit. */
export function scan(sieve: Sieve, place: Coordinate, needed: number, withinKm: number): number[] {
  const nearest = new Nearest(needed, squaredLine(withinKm));
  const [ranks] = sieve.lists;
  if (ranks) scanStations(sieve, ranks, positionOf(place), nearest);
  else lookAt(sieve, 0, sieve.snapshot.sites.playable.length, positionOf(place), nearest);
  return nearest.ranks;
}

function scanStations(sieve: Sieve, ranks: Int32Array, position: Position, nearest: Nearest): void {
  const { sites } = sieve.snapshot;
  for (let at = 0; at < ranks.length; at++) {
    const rank = ranks[at]!;
    const site = sites.siteByRank[rank]!;
    if (site === -1) continue;
    const distance = squaredDistance(sites, site, position);
    if (distance <= nearest.farthest && fits(sieve, rank, 1)) nearest.offer(distance, rank);
  }
}

/** The stations of a site are in order of rank: after the first that finds no place none does. */
function offerSite(sieve: Sieve, site: number, distance: number, nearest: Nearest): void {
  const { starts, ranks } = sieve.snapshot.sites;
  for (let at = starts[site]!; at < starts[site + 1]!; at++) {
    const rank = ranks[at]!;
    if (fits(sieve, rank) && !nearest.offer(distance, rank)) return;
  }
}

const squaredLine = (km: number): number =>
  km === Infinity ? Infinity : (2 * Math.sin(km / EARTH_RADIUS_KM / 2)) ** 2;
