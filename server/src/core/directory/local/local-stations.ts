import type { Coordinate } from '../../../lib/geo.ts';
import { type CompiledFilter, compileFilter, fits } from '../groups/compiled-filter.ts';
import { MAX_PAGE_LENGTH, type PageRequest, StationPage } from '../groups/select-stations.ts';
import { findCountryRegion } from '../lookup/lookups.ts';
import { eachWithin, near } from '../nearby/near.ts';
import type { DirectoryStation, Snapshot } from '../snapshot/snapshot.ts';
import { MAX_STATIONS } from '../snapshot/station-draft.ts';
import { areasAt } from './heard-areas.ts';

/** Where a listener is. */
export interface ListenerPlace {
  readonly point: Coordinate;
  /** ISO 3166-1: `DE`. */
  readonly countryCode: string | undefined;
}

// What a station of the list scores besides how much it is listened to (0 to about 250).

/** The first broadcaster of an area; each further one has less. */
const HEARD = 330;
const NEXT_BROADCASTER = 8;
/** Of how much a broadcaster is listened to: its place in the area already says it. */
const OF_BROADCASTER = 0.5;
/** Somewhere within this distance is here: distances inside a city mean nothing. */
const HERE_KM = 25;
const HERE = 45;
/** Nothing is left of it here. */
const AWAY_KM = 75;
/** Behind a border. */
const ABROAD = -60;
/** Of the country, but not known to be near. */
const ELSEWHERE = -40;
/** A station with a frequency is on the air somewhere. */
const ON_AIR = 15;

/** How many of a country's stations are taken into account, the most popular first. */
const OF_COUNTRY = 400;

/**
 * What is heard in a place: the known broadcasters of its city, region and country, the stations nearby, and popular
 * stations of the country. Each family once.
 */
export function localStations(snapshot: Snapshot, place: ListenerPlace, request: PageRequest): StationPage {
  const offset = Math.max(0, request.offset);
  const end = Math.min(offset + request.limit, MAX_PAGE_LENGTH);
  const ranks = ranksAt(snapshot, { ...place, point: roughly(place.point) }, request, end + 1);
  return new StationPage(snapshot, ranks.slice(offset, end), ranks.length > end && end < MAX_PAGE_LENGTH);
}

/** Per degree: neighbours within a few kilometres share a list, which distances inside a city would not change. */
const GRID = 20;
const onGrid = (degrees: number): number => Math.round(degrees * GRID) / GRID;
const roughly = ({ latitude, longitude }: Coordinate): Coordinate => ({
  latitude: onGrid(latitude),
  longitude: onGrid(longitude),
});

const lists = new WeakMap<Snapshot, Map<string, readonly number[]>>();
/** The largest group of local radio and the one after it. */
const KEPT_RANKS = 201;
/** About a kilobyte each; when it is full, the cache is cleared. */
const MAX_LISTS = 5000;

/** The first stations of the list, at least as many as are needed if there are so many. */
function ranksAt(
  snapshot: Snapshot,
  place: ListenerPlace,
  request: PageRequest,
  needed: number,
): readonly number[] {
  const { formats, genreId, regionId, languageId, affiliateId, where } = request;
  if (needed > KEPT_RANKS || where) return makeList(snapshot, place, request, needed);
  let known = lists.get(snapshot);
  if (!known || known.size >= MAX_LISTS) lists.set(snapshot, (known = new Map()));
  const { latitude, longitude } = place.point;
  const key = `${latitude} ${longitude} ${place.countryCode} ${formats} ${genreId} ${regionId} ${languageId} ${affiliateId}`;
  let list = known.get(key);
  if (!list) known.set(key, (list = makeList(snapshot, place, request, KEPT_RANKS)));
  return list;
}

function makeList(
  snapshot: Snapshot,
  place: ListenerPlace,
  request: PageRequest,
  needed: number,
): readonly number[] {
  const compiled = compileFilter(snapshot, request);
  if (!compiled) return [];
  const { scores, ofHere } = scoresAt(compiled, place);
  const ranks = oncePerEdition(snapshot, bestFirst(scores), ofHere, needed);
  if (ranks.length < needed) addFurther(compiled, place, ranks, needed, request);
  return ranks;
}

/** Score by rank. */
type Scores = Map<number, number>;

interface ScoresAt {
  scores: Scores;
  /** The known broadcasters of the place itself, and not of the whole country. */
  ofHere: ReadonlySet<number>;
}

function scoresAt(compiled: CompiledFilter, { point, countryCode }: ListenerPlace): ScoresAt {
  const { snapshot } = compiled;
  const scores: Scores = new Map();
  const ofHere = new Set<number>();
  const weight = weightsOf(snapshot);
  const score = (rank: number, here: number, share = 1): void => {
    const sum = here + share * weight[rank]!;
    if (sum > (scores.get(rank) ?? -Infinity)) scores.set(rank, sum);
  };
  for (const { ranks, places, around } of countryCode === undefined
    ? []
    : areasAt(snapshot.heardAreas, countryCode, point))
    for (const [at, rank] of ranks.entries()) {
      if (!fits(compiled, rank)) continue;
      score(rank, HEARD - NEXT_BROADCASTER * places[at]!, OF_BROADCASTER);
      if (around) ofHere.add(rank);
    }
  eachWithin(compiled, point, AWAY_KM, (rank, km) => {
    const theirs = snapshot.stations[rank]!.countryCode ?? countryCode;
    const isAbroad = countryCode !== undefined && theirs !== countryCode;
    score(rank, nearness(km) + (isAbroad ? ABROAD : 0));
  });
  let left = OF_COUNTRY;
  for (const rank of (countryCode !== undefined && findCountryRegion(snapshot, countryCode)?.ranks) || []) {
    if (left-- === 0) break;
    if (fits(compiled, rank)) score(rank, ELSEWHERE);
  }
  return { scores, ofHere };
}

const nearness = (km: number): number =>
  km <= HERE_KM ? HERE : HERE * Math.max(0, (AWAY_KM - km) / (AWAY_KM - HERE_KM));

const weights = new WeakMap<Snapshot, Float32Array>();

/** How much each station is listened to, by rank. */
function weightsOf(snapshot: Snapshot): Float32Array {
  let known = weights.get(snapshot);
  if (!known) weights.set(snapshot, (known = Float32Array.from(snapshot.stations, listenedTo)));
  return known;
}

/** Clicks are listeners of today, votes those of years; both grow a thousandfold between stations. */
const listenedTo = ({ popularity, clicks, frequency }: DirectoryStation): number =>
  10 * Math.log1p(popularity) + 20 * Math.log1p(clicks) + (frequency === undefined ? 0 : ON_AIR);

/** Above every score. */
const MOST = 1000;
/** Steps per point of score. */
const FINE = 64;

/** Sorted as numbers, which is many times faster than with a comparison function; at equal scores the lower rank first. */
function bestFirst(scores: Scores): number[] {
  const keys = new Float64Array(scores.size);
  let at = 0;
  for (const [rank, score] of scores)
    keys[at++] = Math.max(0, Math.round((MOST - score) * FINE)) * MAX_STATIONS + rank;
  return Array.from(keys.toSorted(), (key) => key % MAX_STATIONS);
}

/** Where a station has an edition of the place, that is the one which is heard. */
function oncePerEdition(
  { families }: Snapshot,
  ranks: readonly number[],
  ofHere: ReadonlySet<number>,
  most: number,
): number[] {
  const placeOf = new Map<number, number>();
  const found: number[] = [];
  for (const rank of ranks) {
    const edition = families.editionOf[rank]!;
    const place = placeOf.get(edition);
    if (place !== undefined) {
      if (ofHere.has(rank) && !ofHere.has(found[place]!)) found[place] = rank;
      continue;
    }
    if (found.length === most) continue;
    placeOf.set(edition, found.length);
    found.push(rank);
  }
  return found;
}

/** Lists of most countries are full before this; the few others take what is nearest in the world. */
const FURTHER_KM = 500;

/** Continues a short list with the nearest stations; of those, some are there already, and some are of one family. */
function addFurther(
  compiled: CompiledFilter,
  { point }: ListenerPlace,
  ranks: number[],
  most: number,
  request: PageRequest,
): void {
  const { snapshot } = compiled;
  const { editionOf: familyOf } = snapshot.families;
  const shown = new Set(ranks.map((rank) => familyOf[rank]!));
  const add = (further: readonly number[]): void => {
    for (const rank of further) {
      if (ranks.length === most) return;
      if (shown.has(familyOf[rank]!)) continue;
      shown.add(familyOf[rank]!);
      ranks.push(rank);
    }
  };
  const around: { rank: number; km: number }[] = [];
  eachWithin(compiled, point, FURTHER_KM, (rank, km) => {
    if (!shown.has(familyOf[rank]!)) around.push({ rank, km });
  });
  add(around.toSorted((a, b) => a.km - b.km || a.rank - b.rank).map(({ rank }) => rank));
  // Most of what is nearest is new; the thousand are looked for only where it is not.
  for (const limit of [2 * most, MAX_PAGE_LENGTH])
    if (ranks.length < most) add(near(snapshot, point, { ...request, offset: 0, limit }).ranks);
}
