import { scheduler } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { DEFAULT_LANGUAGE, wordsFor } from '../../core/i18n/words.ts';
import { findGenreNamed } from '../../core/search/genre-named.ts';
import { forEachYielding } from '../../lib/clock.ts';
import { coordinate, distanceKm } from '../../lib/geo.ts';
import { searchText, searchWords } from '../../lib/search-words.ts';
import { compareTexts, type FacetKind, facetsOf } from './facets.ts';
import { type ApiRequest, flagOf, numberParam, pageOf, textParam } from './read-request.ts';
import { placeNamesOf, tagsOf, type View } from './view.ts';

type Test = (rank: number) => boolean;

/** The stations in any group whose name fits: as a part of it, or whole. A whole name may also be the group's code. */
function inGroups(view: View, kind: FacetKind, term: string, isExact: boolean): Test {
  const [wanted, typed] = [searchText(term), term.trim().toLowerCase()];
  const member = new Uint8Array(view.snapshot.stations.length);
  const fits = facetsOf(view, kind).filter(({ name, foldedName, code }) => {
    // AAC+ and AAC are two codecs, and one word.
    if (kind === 'codecs' || wanted === '')
      return isExact ? name.toLowerCase() === typed : name.toLowerCase().includes(typed);
    return isExact ? foldedName === wanted || code.toLowerCase() === typed : foldedName.includes(wanted);
  });
  for (const { ranks } of fits)
    for (let index = 0; index < ranks.length; index += 1) member[ranks[index]!] = 1;
  if (kind === 'tags' && fits.length === 0) {
    // What people call a genre is not always its name: 80s for 1980s.
    const genre = findGenreNamed(view.snapshot, searchWords(term), wordsFor(DEFAULT_LANGUAGE));
    for (const rank of genre?.ranks ?? []) member[rank] = 1;
  }
  return (rank) => member[rank] === 1;
}

function byCountryCode(view: View, code: string): Test {
  const country = facetsOf(view, 'countries').find((one) => one.code === code.trim().toUpperCase());
  const member = new Uint8Array(view.snapshot.stations.length);
  for (const rank of country?.ranks ?? []) member[rank] = 1;
  return (rank) => member[rank] === 1;
}

function byName({ foldedNames, snapshot: { stations } }: View, term: string, isExact: boolean): Test {
  const wanted = searchText(term);
  if (wanted !== '')
    return (rank) => (isExact ? foldedNames[rank] === wanted : foldedNames[rank]!.includes(wanted));
  // Nothing but signs, such as a picture of a radio: those are left out of folded names.
  const typed = term.trim().toLowerCase();
  return (rank) => {
    const name = stations[rank]!.name.toLowerCase();
    return isExact ? name === typed : name.includes(typed);
  };
}

type Criterion = (view: View, term: string) => Test;
const group =
  (kind: FacetKind, isExact: boolean): Criterion =>
  (view, term) =>
    inGroups(view, kind, term, isExact);

/** `stations/by…/{term}`. */
export const CRITERIA: ReadonlyMap<string, Criterion> = new Map<string, Criterion>([
  ['byname', (view, term) => byName(view, term, false)],
  ['bynameexact', (view, term) => byName(view, term, true)],
  ['bycodec', group('codecs', false)],
  ['bycodecexact', group('codecs', true)],
  ['bycountry', group('countries', false)],
  ['bycountryexact', group('countries', true)],
  ['bycountrycodeexact', byCountryCode],
  ['bystate', group('states', false)],
  ['bystateexact', group('states', true)],
  ['bylanguage', group('languages', false)],
  ['bylanguageexact', group('languages', true)],
  ['bytag', group('tags', false)],
  ['bytagexact', group('tags', true)],
]);

/** More tags than anybody means at once. */
const MAX_TAGS = 20;

/** What `stations/search` asks for; every test has to hold. */
export function searchTests(view: View, request: ApiRequest): Test[] {
  const tests: Test[] = [];
  const add = (param: string, criterion: string): void => {
    const term = textParam(request, param);
    const isExact = flagOf(request, `${param}Exact`) === true;
    if (term !== '') tests.push(CRITERIA.get(isExact ? `${criterion}exact` : criterion)!(view, term));
  };
  for (const param of ['name', 'country', 'state', 'language', 'tag']) add(param, `by${param}`);
  for (const param of ['codec', 'countrycode']) {
    const term = textParam(request, param);
    if (term !== '') tests.push(CRITERIA.get(`by${param}exact`)!(view, term));
  }
  for (const tag of textParam(request, 'tagList').split(',', MAX_TAGS))
    if (tag.trim() !== '') tests.push(inGroups(view, 'tags', tag, true));
  return [...tests, ...soundTests(view, request), ...placeTests(view, request)];
}

function soundTests({ streams }: View, request: ApiRequest): Test[] {
  const min = numberParam(request, 'bitrateMin') ?? 0;
  const max = numberParam(request, 'bitrateMax') ?? Infinity;
  const isHttps = flagOf(request, 'is_https');
  const tests: Test[] = [];
  if (min > 0 || max < 1_000_000)
    tests.push((rank) => streams[rank]!.bitrate >= min && streams[rank]!.bitrate <= max);
  if (isHttps !== undefined) tests.push((rank) => streams[rank]!.address.startsWith('https:') === isHttps);
  // No station has what the API calls extended information.
  if (flagOf(request, 'has_extended_info') === true) tests.push(() => false);
  return tests;
}

function placeTests({ snapshot: { stations } }: View, request: ApiRequest): Test[] {
  const hasGeo = flagOf(request, 'has_geo_info');
  const metres = numberParam(request, 'geo_distance');
  const distance = distancesFrom(request);
  const tests: Test[] = [];
  if (hasGeo !== undefined) tests.push((rank) => (stations[rank]!.coordinate !== undefined) === hasGeo);
  if (distance && metres !== undefined && metres > 0)
    tests.push((rank) => (distance(stations[rank]!.coordinate) ?? Infinity) * 1000 <= metres);
  return tests;
}

function distancesFrom(request: ApiRequest) {
  const here = coordinate(
    numberParam(request, 'geo_lat') ?? Number.NaN,
    numberParam(request, 'geo_long') ?? Number.NaN,
  );
  return here && ((there: typeof here | undefined) => there && distanceKm(here, there));
}

type KeyOf = (view: View, rank: number) => string | number;

/** What an order goes by. Others than these, and unknown ones, are by name; those of which nothing is kept are no order. */
const ORDERS: Readonly<Record<string, KeyOf>> = {
  name: ({ foldedNames }, rank) => foldedNames[rank]!,
  url: ({ streams }, rank) => streams[rank]!.address,
  homepage: ({ snapshot }, rank) => snapshot.stations[rank]!.homepage ?? '',
  favicon: ({ snapshot }, rank) => Number(snapshot.stations[rank]!.hasLogo),
  tags: ({ snapshot }, rank) => tagsOf(snapshot, snapshot.stations[rank]!).join(','),
  country: ({ snapshot }, rank) => placeNamesOf(snapshot, snapshot.stations[rank]!).country,
  state: ({ snapshot }, rank) => placeNamesOf(snapshot, snapshot.stations[rank]!).state,
  language: ({ snapshot }, rank) => snapshot.stations[rank]!.languageName ?? '',
  codec: ({ codecs }, rank) => codecs[rank]!,
  votes: ({ snapshot }, rank) => snapshot.stations[rank]!.votes,
  clickcount: ({ snapshot }, rank) => snapshot.stations[rank]!.clicks,
  bitrate: ({ streams }, rank) => streams[rank]!.bitrate,
  lastcheckok: ({ working }, rank) => working[rank]!,
  lastchecktime: ({ times }, rank) => times.checked[rank] || 0,
  changetimestamp: ({ times }, rank) => times.changed[rank] || 0,
  clicktimestamp: ({ snapshot }, rank) => snapshot.stations[rank]!.clicks,
  clicktrend: () => 0,
};

const orders = new WeakMap<View, Map<string, Promise<Int32Array>>>();

/** By rank: the place in an order, the same for two that are equal in it. Made when it is first asked for, once for a view. */
function placesIn(view: View, order: string): Promise<Int32Array> {
  const known = orders.getOrInsertComputed(view, () => new Map());
  const places = known.getOrInsertComputed(order, () => makePlaces(view, ORDERS[order]!));
  places.catch(() => known.delete(order));
  return places;
}

/** So many are sorted at once, in a millisecond. */
const SORT_CHUNK = 1024;

/** Sorts by parts and joins them, since sorting a hundred thousand texts at once takes longer than others should wait. */
async function makePlaces(view: View, keyOf: KeyOf): Promise<Int32Array> {
  const keys: (string | number)[] = [];
  await forEachYielding(view.snapshot.stations, (_station, rank) => void keys.push(keyOf(view, rank)));
  const compare = (a: number, b: number): number => {
    const [one, other] = [keys[a]!, keys[b]!];
    return typeof one === 'number' ? one - Number(other) : compareTexts(one, String(other));
  };
  let runs: Int32Array[] = [];
  for (let start = 0; start < keys.length; start += SORT_CHUNK) {
    const length = Math.min(SORT_CHUNK, keys.length - start);
    runs.push(Int32Array.from({ length }, (_, index) => start + index).toSorted(compare));
    await scheduler.yield();
  }
  while (runs.length > 1) {
    const longer: Int32Array[] = [];
    for (let index = 0; index < runs.length; index += 2) {
      longer.push(merge(runs[index]!, runs[index + 1] ?? new Int32Array(), compare));
      await scheduler.yield();
    }
    runs = longer;
  }
  const places = new Int32Array(keys.length);
  let place = 0;
  for (const [index, rank] of (runs[0] ?? new Int32Array()).entries()) {
    if (index > 0 && compare(runs[0]![index - 1]!, rank) !== 0) place += 1;
    places[rank] = place;
  }
  return places;
}

function merge(one: Int32Array, other: Int32Array, compare: (a: number, b: number) => number): Int32Array {
  const merged = new Int32Array(one.length + other.length);
  let [left, right] = [0, 0];
  for (let index = 0; index < merged.length; index += 1) {
    const takesLeft = right >= other.length || (left < one.length && compare(one[left]!, other[right]!) <= 0);
    merged[index] = takesLeft ? one[left++]! : other[right++]!;
  }
  return merged;
}

/** Two orders are of one request alone. */
async function placesFor(view: View, request: ApiRequest, order: string): Promise<(rank: number) => number> {
  const distance = order === 'geo_distance' ? distancesFrom(request) : undefined;
  const { stations } = view.snapshot;
  if (distance) return (rank) => Math.round((distance(stations[rank]!.coordinate) ?? 100_000) * 1000);
  if (order === 'random') return () => Math.floor(Math.random() * MAX_PLACE);
  const places = await placesIn(view, Object.hasOwn(ORDERS, order) ? order : 'name');
  return (rank) => places[rank]!;
}

/** Beyond any place in an order, and any number of metres on earth. */
const MAX_PLACE = 2 ** 30;

export interface Listing {
  tests: readonly Test[];
  order?: string;
  reverse?: boolean;
  limit?: number | undefined;
}

/** Ranks of pages that were asked for; all of them together are some megabytes. */
const MAX_KEPT_RANKS = 500_000;
const pages = new WeakMap<View, LRUCache<string, number[]>>();

/** The ranks of a page of stations. The first screens of apps ask for the same few, so they are found once for a view. */
export async function listRanks(view: View, request: ApiRequest, listing: Listing): Promise<number[]> {
  if ((listing.order ?? textParam(request, 'order')) === 'random') return findRanks(view, request, listing);
  const kept = pages.getOrInsertComputed(
    view,
    () => new LRUCache({ maxSize: MAX_KEPT_RANKS, sizeCalculation: ({ length }) => 10 + length }),
  );
  const key = JSON.stringify([request.path, [...request.params]]);
  const known = kept.get(key);
  if (known) return known;
  const found = await findRanks(view, request, listing);
  kept.set(key, found);
  return found;
}

async function findRanks(view: View, request: ApiRequest, listing: Listing): Promise<number[]> {
  const { tests } = listing;
  const { stations } = view.snapshot;
  const hidesBroken = flagOf(request, 'hidebroken') === true;
  const isReverse = listing.reverse ?? flagOf(request, 'reverse') === true;
  const placeOfRank = await placesFor(view, request, listing.order ?? textParam(request, 'order'));
  // A place and a rank in one number: numbers alone are sorted in a few milliseconds, however many.
  const keys = new Float64Array(stations.length);
  let count = 0;
  await forEachYielding(stations, (_station, rank) => {
    if (hidesBroken && view.working[rank] === 0) return;
    for (const test of tests) if (!test(rank)) return;
    const place = placeOfRank(rank);
    keys[count] = (isReverse ? MAX_PLACE - place : place) * stations.length + rank;
    count += 1;
  });
  const found = keys.subarray(0, count).toSorted();
  return Array.from(pageOf(found, request, listing.limit), (key) => key % stations.length);
}
