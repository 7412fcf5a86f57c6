import type { StationFilter } from '../directory/sieve.ts';
import type { Directory } from '../directory/directory.ts';
import type { OnAirBoard, OnAirNow } from '../directory/on-air-board.ts';
import type { Snapshot } from '../directory/snapshot.ts';
import type { Call } from '../http/endpoint.ts';
import type { Coordinate } from '../lib/geo.ts';
import type { PartnerRow } from '../members/partners.ts';
import type { ListedSongs } from '../playing/listed-songs.ts';
import type { SongsNow } from '../playing/songs-now.ts';
import type { Words } from '../words/words.ts';
import { type BrowseFilter, NO_FILTER, lasting, parseFilter, writeFilter } from './filter.ts';
import type { ShowPage } from './show-pages.ts';
import { stationTest } from './station-test.ts';

/** Group sizes unless the partner's row or the device's profile says otherwise; a new partner's row says the same. */
export const STATIONS_PER_GROUP = 50;
const SHOWS_PER_GROUP = 10;
/** Beyond any list there is; further pages are empty anyway. */
const LARGEST_OFFSET = 1_000_000;

const PIVOTS = ['name', 'genre', 'country', 'location'] as const;
const DETAILS = ['affiliate', 'genre', 'recommendation'] as const;
export type Detail = (typeof DETAILS)[number];

/** Where requests are answered from. */
export interface RequestSources {
  directory: Pick<Directory, 'current'>;
  /** Undefined where nobody keeps it; stations are then told without their shows. */
  onAirBoard?: Pick<OnAirBoard, 'on'> | undefined;
  /** Undefined where nobody knows what stations play. */
  listedSongs?: Pick<ListedSongs, 'on'> | undefined;
}

/**
 * All that a menu is made from: one snapshot, whatever swaps meanwhile, and of the call nothing but what is here. Two
 * requests with the same `keyOf` on the same snapshot get the same menu.
 */
export interface BrowseRequest {
  readonly snapshot: Snapshot;
  /** What the stations have on air; undefined where that is nothing. */
  readonly onAir: OnAirNow | undefined;
  /** What they play, as far as it is known. */
  readonly songs: SongsNow | undefined;
  readonly words: Words;
  readonly filter: BrowseFilter;
  /** What the caller can play and wants to hear; every list in the menu obeys it. */
  readonly stations: StationFilter;
  readonly pivot: (typeof PIVOTS)[number] | undefined;
  /** The groups asked for by `detail`; none means all. */
  readonly details: readonly Detail[];
  readonly offset: number;
  readonly stationsPerGroup: number;
  readonly showsPerGroup: number;
  /** Where the caller stands, when a menu is to begin with what is near. */
  readonly place?: Coordinate | undefined;
  /** Shows that belong into the menu, when they were at hand. */
  readonly shows?: ShowPage | undefined;
}

export function readRequest(
  call: Call,
  { directory, onAirBoard, listedSongs }: RequestSources,
): BrowseRequest {
  const { params, caller } = call;
  const pivot = params.text('pivot');
  const snapshot = directory.current();
  const filter = byRegion(parseFilter(params.text('filter')), snapshot);
  const { formats, partner, words } = caller;
  const { genreId, regionId, languageId } = filter;
  return {
    snapshot,
    onAir: onAirBoard?.on(snapshot),
    songs: listedSongs?.on(snapshot),
    words,
    filter,
    stations: { formats, genreId, regionId, languageId, where: stationTest(filter) },
    pivot: pivot === undefined ? undefined : PIVOTS.find((known) => known === pivot),
    details: params.has('detail') ? detailsAmong(params.list('detail')) : DETAILS,
    offset: params.optional('offset', parseOffset) ?? 0,
    stationsPerGroup: agreedSize(partner) ?? pageSizeOf(call) ?? STATIONS_PER_GROUP,
    showsPerGroup: partner?.shows_per_group ?? SHOWS_PER_GROUP,
  };
}

/** In the singular or the plural, as in a description; a list of nothing asks for all. */
function detailsAmong(names: readonly string[]): readonly Detail[] {
  const asked = new Set(names.map((name) => name.toLowerCase().replace(/s$/, '')));
  return asked.size === 0 ? DETAILS : DETAILS.filter((detail) => asked.has(detail));
}

/** A partner of the usual size has agreed on nothing, and leaves it to its devices. */
const agreedSize = (partner: PartnerRow | undefined): number | undefined =>
  partner?.stations_per_group === STATIONS_PER_GROUP ? undefined : partner?.stations_per_group;

/** A country is filtered by as its region, which is what deeper links name. Nothing is in a country that is not known. */
function byRegion(filter: BrowseFilter, { countryById }: Snapshot): BrowseFilter {
  if (filter.countryId === undefined) return filter;
  const regionId = countryById.get(filter.countryId)?.regionId ?? Number.MAX_SAFE_INTEGER;
  return { ...filter, countryId: undefined, regionId };
}

/** Of a caller that says what it is: looking that up by its User-Agent would cost every menu some hundred nanoseconds. */
const pageSizeOf = (call: Call): number | undefined =>
  call.caller.globals.device === undefined ? undefined : call.device.profile.pageSize;

/** Any number, since clients work out offsets of their own; one before the start is the start. */
const parseOffset = (text: string): number | undefined =>
  /^-?\d+$/.test(text) ? Math.min(Math.max(Number(text), 0), LARGEST_OFFSET) : undefined;

/** Everything a menu depends on beside the snapshot and which menu it is, as one text. */
export function keyOf(request: BrowseRequest): string {
  const { stations, words, filter, pivot, details, offset, place, shows, onAir, songs } = request;
  const { stationsPerGroup, showsPerGroup } = request;
  const heard = `${onAir ? ` air${onAir.stamp}` : ''}${songs ? ` songs${songs.stamp}` : ''}`;
  const stamps = `${shows?.stamp}${heard}`;
  const asked = `${stations.formats} ${words.language} ${offset} ${stationsPerGroup} ${showsPerGroup} ${stamps}`;
  const isPlain = filter === NO_FILTER && !pivot && details === DETAILS && !place;
  if (isPlain) return asked;
  return `${asked} ${writeFilter(filter)} ${pivot} ${details.join()} ${place?.latitude},${place?.longitude}`;
}

/** The filter of a link to another page of the same list. */
export const filterOfPage = ({ filter }: BrowseRequest, changes: Partial<BrowseFilter>): string | undefined =>
  writeFilter({ ...filter, ...changes });

/** The filter of a link to a deeper menu. */
export const filterBelow = ({ filter }: BrowseRequest, kept?: Partial<BrowseFilter>): string | undefined =>
  filter === NO_FILTER && !kept ? undefined : writeFilter({ ...lasting(filter), ...kept });
