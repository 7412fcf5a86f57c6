import { around } from 'geokdbush';
import type { Coordinate } from '../lib/geo.ts';
import { Nearest } from './nearest.ts';
import { ANYTHING } from './playable.ts';
import { type Sieve, fits } from './sieve.ts';
import { type Position, positionOf, squaredDistance } from './sites.ts';

/** As the tree's search has it. */
export const EARTH_RADIUS_KM = 6371;

/** What it costs to visit a site of the tree, in stations measured one by one. */
const VISIT_COST = 100;

/** The nearest that fit, in order, `needed` of them when there are so many. */
export function nearestRanks(sieve: Sieve, place: Coordinate, needed: number, withinKm: number): number[] {
  const found = isForTree(sieve, needed) ? searchTree(sieve, place, needed, withinKm) : undefined;
  return found ?? scan(sieve, place, needed, withinKm);
}

/** The tree is for what is common: for a rare format or a small genre most of it would be walked in vain. */
function isForTree(sieve: Sieve, needed: number): boolean {
  const { lists, where, snapshot } = sieve;
  if (where) return false;
  const ranks = lists[0] ?? snapshot.everyRank;
  const share = (ranks.length / snapshot.stations.length) * playingShare(sieve, ranks);
  return VISIT_COST * needed < ranks.length * share;
}

/** About how many of a list's stations the caller can play, by a look at a hundred of them. */
function playingShare({ snapshot, wanted }: Sieve, ranks: Int32Array): number {
  if (wanted === ANYTHING) return 1;
  const step = Math.max(1, Math.floor(ranks.length / 100));
  let seen = 0;
  let playing = 0;
  for (let at = 0; at < ranks.length; at += step) {
    seen++;
    if ((snapshot.playable[ranks[at]!]! & wanted) !== 0) playing++;
  }
  return playing / seen;
}

/**
 * Each site found has a station that fits, so as many sites as stations are enough, and one more shows that no other
 * site is just as far as the last station. Undefined when one may be, which takes a coincidence.
 */
export function searchTree(
  sieve: Sieve,
  place: Coordinate,
  needed: number,
  withinKm: number,
): number[] | undefined {
  const { sites } = sieve.snapshot;
  const asked = needed + 1;
  const { longitude, latitude } = place;
  const found = around(sites.tree, longitude, latitude, asked, withinKm, siteTest(sieve));
  const nearest = new Nearest(needed);
  const position = positionOf(place);
  for (const site of found) {
    const distance = squaredDistance(sites, site, position);
    if (distance > nearest.farthest) return nearest.ranks;
    offerSite(sieve, site, distance, nearest);
  }
  return found.length < asked ? nearest.ranks : undefined;
}

/** Whether any station of a site fits; undefined when all do. */
function siteTest(sieve: Sieve): ((site: number) => boolean) | undefined {
  const { playable, starts, ranks } = sieve.snapshot.sites;
  const { wanted, lists } = sieve;
  if (lists.length === 0) return wanted === ANYTHING ? undefined : (site) => (playable[site]! & wanted) !== 0;
  return (site) => {
    if ((playable[site]! & wanted) === 0) return false;
    for (let at = starts[site]!; at < starts[site + 1]!; at++) if (fits(sieve, ranks[at]!)) return true;
    return false;
  };
}

/** Measures all that may fit. */
export function scan(sieve: Sieve, place: Coordinate, needed: number, withinKm: number): number[] {
  const nearest = new Nearest(needed, squaredLine(withinKm));
  const [ranks] = sieve.lists;
  if (ranks) scanStations(sieve, ranks, positionOf(place), nearest);
  else scanSites(sieve, positionOf(place), nearest);
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

function scanSites(sieve: Sieve, position: Position, nearest: Nearest): void {
  const { sites } = sieve.snapshot;
  for (let site = 0; site < sites.playable.length; site++) {
    if ((sites.playable[site]! & sieve.wanted) === 0) continue;
    const distance = squaredDistance(sites, site, position);
    if (distance <= nearest.farthest) offerSite(sieve, site, distance, nearest);
  }
}

function offerSite(sieve: Sieve, site: number, distance: number, nearest: Nearest): void {
  const { starts, ranks } = sieve.snapshot.sites;
  for (let at = starts[site]!; at < starts[site + 1]!; at++) {
    if (fits(sieve, ranks[at]!)) nearest.offer(distance, ranks[at]!);
  }
}

const squaredLine = (km: number): number =>
  km === Infinity ? Infinity : (2 * Math.sin(km / EARTH_RADIUS_KM / 2)) ** 2;
