import type { PartnerRow } from '../../../core/accounts/partners/partners.ts';
import type { Directory } from '../../../core/directory/directory.ts';
import type { StationFilter } from '../../../core/directory/groups/compiled-filter.ts';
import type { OnAirBoard, OnAirNow } from '../../../core/directory/live/on-air-board.ts';
import type { Snapshot } from '../../../core/directory/snapshot/snapshot.ts';
import type { Words } from '../../../core/i18n/words.ts';
import type { ListedSongs, SongsNow } from '../../../core/now-playing/listed-songs.ts';
import { Fault } from '../../../lib/fault.ts';
import type { Coordinate } from '../../../lib/geo.ts';
import type { Call, MoreWatched } from '../call/endpoint.ts';
import { type BrowseFilter, lasting, NO_FILTER, parseFilter, writeFilter } from './filter.ts';
import type { ShowPage } from './show-pages.ts';
import { stationTest } from './station-test.ts';

/** Group sizes unless the partner's row or the device's profile says otherwise; also the defaults of a new partner. */
export const STATIONS_PER_GROUP = 50;
const SHOWS_PER_GROUP = 10;
/** Longer than any list; pages beyond it are empty anyway. */
const MAX_OFFSET = 1_000_000;

const PIVOTS = ['name', 'genre', 'country', 'location'] as const;
const DETAILS = ['affiliate', 'genre', 'recommendation'] as const;
export type Detail = (typeof DETAILS)[number];

/** The data that requests are answered from. */
export interface RequestSources {
  directory: Pick<Directory, 'current'>;
  /** Undefined without a board; stations are then shown without their shows. */
  onAirBoard?: Pick<OnAirBoard, 'on'> | undefined;
  /** Undefined when songs are not tracked. */
  listedSongs?: Pick<ListedSongs, 'on'> | undefined;
}

/**
 * Everything a menu depends on: one snapshot, even if a newer one is loaded meanwhile, and the relevant parts of the
 * call. Two requests with the same `keyOf` on the same snapshot get the same menu.
 */
export interface BrowseRequest {
  readonly snapshot: Snapshot;
  /** Shows on air; undefined when there are none. */
  readonly onAir: OnAirNow | undefined;
  /** Current songs, as far as known. */
  readonly songs: SongsNow | undefined;
  readonly words: Words;
  readonly filter: BrowseFilter;
  /** What the caller can play and asked for; applies to every list in the menu. */
  readonly stations: StationFilter;
  readonly pivot: (typeof PIVOTS)[number] | undefined;
  /** The groups requested by `detail`; none means all. */
  readonly details: readonly Detail[];
  readonly offset: number;
  readonly stationsPerGroup: number;
  readonly showsPerGroup: number;
  /** The caller's position, if the menu is to begin with stations nearby. */
  readonly place?: Coordinate | undefined;
  /** Shows to include in the menu, if they were available in time. */
  readonly shows?: ShowPage | undefined;
  /** Within a language: the genres of its shows, if they were available in time. */
  readonly showGenreIds?: readonly number[] | undefined;
  /** Where a menu has these two: whether they are still the same. */
  readonly more?: MoreWatched | undefined;
  /** Makes what tells whether the directory, what is on air and what plays are still those of this request. */
  readonly watch: () => () => boolean;
}

export function readRequest(call: Call, sources: RequestSources): BrowseRequest {
  const { directory, onAirBoard, listedSongs } = sources;
  const { params, caller } = call;
  const pivot = params.text('pivot');
  const snapshot = directory.current();
  const filter = byRegion(parseFilter(params.text('filter')), snapshot);
  const { formats, partner, words } = caller;
  const { genreId, regionId, languageId } = filter;
  const onAir = onAirBoard?.on(snapshot);
  const songs = listedSongs?.on(snapshot);
  return {
    snapshot,
    onAir,
    songs,
    watch: () => watchSources(sources, snapshot, onAir?.stamp, songs?.stamp),
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

/** Weakly: who keeps this must not keep a replaced directory. */
function watchSources(
  { directory, onAirBoard, listedSongs }: RequestSources,
  snapshot: Snapshot,
  onAir: number | undefined,
  songs: number | undefined,
): () => boolean {
  const watched = new WeakRef(snapshot);
  return () => {
    const current = directory.current();
    return (
      watched.deref() === current &&
      onAirBoard?.on(current)?.stamp === onAir &&
      listedSongs?.on(current)?.stamp === songs
    );
  };
}

/** Accepts singular and plural; an empty list requests all. */
function detailsAmong(names: readonly string[]): readonly Detail[] {
  const asked = new Set(names.map((name) => name.toLowerCase().replace(/s$/, '')));
  return asked.size === 0 ? DETAILS : DETAILS.filter((detail) => asked.has(detail));
}

/** A partner with the default size has agreed on nothing, so its devices' profiles decide. */
const agreedSize = (partner: PartnerRow | undefined): number | undefined =>
  partner?.stations_per_group === STATIONS_PER_GROUP ? undefined : partner?.stations_per_group;

/** Replaces a country by its region, which deeper links use. An unknown country matches nothing. */
function byRegion(filter: BrowseFilter, { countryById }: Snapshot): BrowseFilter {
  if (filter.countryId === undefined) return filter;
  const regionId = countryById.get(filter.countryId)?.regionId ?? Number.MAX_SAFE_INTEGER;
  return { ...filter, countryId: undefined, regionId };
}

/**
 * Only for callers that name their profile: detecting it by User-Agent would cost every menu some hundred nanoseconds.
 */
const pageSizeOf = (call: Call): number | undefined =>
  call.caller.globals.device === undefined ? undefined : call.device.profile.pageSize;

/** Any number, since clients compute their own offsets; negative ones count as 0. */
const parseOffset = (text: string): number | undefined =>
  /^-?\d+$/.test(text) ? Math.min(Math.max(Number(text), 0), MAX_OFFSET) : undefined;

/** Everything a menu depends on, besides the snapshot and the menu's name, as one string. */
export function keyOf(request: BrowseRequest): string {
  const { stations, words, filter, pivot, details, offset, place, shows, onAir, songs } = request;
  const { stationsPerGroup, showsPerGroup, showGenreIds = [] } = request;
  const heard = `${onAir ? ` air${onAir.stamp}` : ''}${songs ? ` songs${songs.stamp}` : ''}`;
  const stamps = `${shows?.stamp}${heard}`;
  const asked = `${stations.formats} ${words.language} ${offset} ${stationsPerGroup} ${showsPerGroup} ${stamps}`;
  const isPlain = filter === NO_FILTER && !pivot && details === DETAILS && !place;
  if (isPlain) return asked;
  const where = `${place?.latitude},${place?.longitude}`;
  return `${asked} ${writeFilter(filter)} ${pivot} ${details.join()} ${where} ${showGenreIds.join()}`;
}

/** The filter for another page of the same list. */
export function filterOfPage({ filter }: BrowseRequest, changes?: Partial<BrowseFilter>): string | undefined {
  if (!changes) return writeFilter(filter);
  if (filter === NO_FILTER && changes === STATIONS_ONLY) return STATIONS_ONLY.kind;
  return writeFilter({ ...filter, ...changes });
}

/** What the next page of a list asks for, so that it has no headings. */
export const STATIONS_ONLY = { kind: 's' } as const;

/** The filter for a deeper menu. */
export const filterBelow = ({ filter }: BrowseRequest, kept?: Partial<BrowseFilter>): string | undefined =>
  filter === NO_FILTER && !kept ? undefined : writeFilter({ ...lasting(filter), ...kept });

/** An id that does not exist or cannot be browsed. */
export const unknownId = (why: string): Fault =>
  new Fault(400, 'request.idInvalid', `Invalid ID for browse: ${why}`);

export const unknownCategory = (): Fault => new Fault(400, 'id', 'Invalid category');

export const unknownClassifier = (): Fault => new Fault(400, undefined, 'Invalid root category');
