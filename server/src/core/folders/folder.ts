import { type GuideId, guideId, type ParsedGuideId, parseGuideId } from '../../lib/guide-id.ts';
import { ALL_FORMATS, type FormatMask } from '../../lib/stream-format.ts';
import type { StationFilter } from '../directory/groups/compiled-filter.ts';
import { countStations, selectStations } from '../directory/groups/select-stations.ts';
import { placeNameIn } from '../directory/lookup/in-words.ts';
import {
  findAffiliate,
  findGenre,
  findLanguage,
  findRegion,
  listGenresOf,
  listRegionsOf,
  listSpokenLanguages,
  listTopGenres,
} from '../directory/lookup/lookups.ts';
import type {
  DirectoryGenre,
  DirectoryRegion,
  DirectoryStation,
  Snapshot,
} from '../directory/snapshot/snapshot.ts';
import type { Words } from '../i18n/words.ts';

/** Something in a folder. Its id opens or plays it, in every protocol; a protocol may spell ids its own way. */
export type FolderItem =
  | { kind: 'folder'; id: string; title: string; count: number }
  | StationItem
  | { kind: 'show'; id: GuideId<'p'>; title: string }
  /** A listener's own address. */
  | { kind: 'address'; id: GuideId<'u'>; title: string; address: string }
  /** Opens a keyboard; what is typed there is searched for. */
  | { kind: 'search'; id: 'search'; title: string };

export interface StationItem {
  kind: 'station';
  id: GuideId<'s'>;
  title: string;
  station: DirectoryStation;
}

export const stationItem = (station: DirectoryStation): StationItem => ({
  kind: 'station',
  id: guideId('s', station.id),
  title: station.name,
  station,
});

/** A window of a folder's items. */
export interface Folder<Item = FolderItem> {
  id: string;
  title: string;
  /** The id of the folder it is in; undefined for the root. */
  parentId: string | undefined;
  /** Of all its items, not of those in the window. */
  total: number;
  items: readonly Item[];
}

export interface FolderRequest {
  /** The first item of the window, counted from 0. */
  offset: number;
  /** At most 1,000, as everywhere. */
  limit: number;
  words: Words;
  /** What the caller plays. */
  formats?: FormatMask;
}

/** A folder before a window of it is cut. */
interface Contents {
  title: string;
  parentId: string | undefined;
  /** What comes before the stations: few. */
  head: readonly FolderItem[];
  /** Undefined where it has none of its own: the world is too large to be a list. */
  stations: Partial<StationFilter> | undefined;
}

/** Where everything begins. */
export const ROOT_ID = 'root';
const LANGUAGES_ID = 'languages';
const ELSEWHERE_ID = 'elsewhere';
const WORLD = 0;
/** `r0`: the continents. */
const WORLD_ID = guideId('r', WORLD);

/**
 * A folder of the directory by its id, which is `root`, `languages`, `elsewhere` or the guide ID of a genre, place, country, language
 * or network: smaller folders first, then stations, the most popular first. Undefined when there is no such folder.
 */
export function openFolder(snapshot: Snapshot, id: string, request: FolderRequest): Folder | undefined {
  const contents = contentsOf(snapshot, id, request);
  if (!contents) return undefined;
  const { head, stations, ...folder } = contents;
  const filter = stations && filterOf(stations, request);
  const count = filter ? countStations(snapshot, filter) : 0;
  const offset = Math.max(0, request.offset);
  const first = head.slice(offset, offset + request.limit);
  const left = request.limit - first.length;
  const rest =
    filter && left > 0
      ? selectStations(snapshot, { ...filter, offset: Math.max(0, offset - head.length), limit: left })
          .stations
      : [];
  return { id, ...folder, total: head.length + count, items: [...first, ...rest.map(stationItem)] };
}

/** The stations of a folder and of all that is in it, without the folders: what a playlist of it has. */
export function openStations(
  snapshot: Snapshot,
  id: string,
  request: FolderRequest,
): Folder<StationItem> | undefined {
  const contents = contentsOf(snapshot, id, request);
  if (!contents?.stations) return undefined;
  const { title, parentId, stations } = contents;
  const filter = filterOf(stations, request);
  const { offset, limit } = request;
  const page = selectStations(snapshot, { ...filter, offset, limit });
  return {
    id,
    title,
    parentId,
    total: countStations(snapshot, filter),
    items: page.stations.map(stationItem),
  };
}

/** What the stations of a folder and of all that is in it have in common; undefined where it has none of its own. */
export function findStationFilter(
  snapshot: Snapshot,
  id: string,
  request: Pick<FolderRequest, 'words' | 'formats'>,
): StationFilter | undefined {
  const stations = contentsOf(snapshot, id, { offset: 0, limit: 0, ...request })?.stations;
  return stations && filterOf(stations, request);
}

const filterOf = (
  stations: Partial<StationFilter>,
  { formats = ALL_FORMATS }: Pick<FolderRequest, 'formats'>,
): StationFilter => ({
  ...stations,
  formats,
});

function contentsOf(snapshot: Snapshot, id: string, request: FolderRequest): Contents | undefined {
  if (id === ROOT_ID) return rootOf(snapshot, request);
  if (id === LANGUAGES_ID) return languagesOf(snapshot, request);
  if (id === ELSEWHERE_ID) return elsewhere(request);
  const parsed = parseGuideId(id);
  return parsed && BY_LETTER[parsed.letter]?.(snapshot, parsed.number, request);
}

type Open = (snapshot: Snapshot, id: number, request: FolderRequest) => Contents | undefined;

const BY_LETTER: Partial<Record<ParsedGuideId['letter'], Open>> = {
  g: genre,
  r: place,
  n: (snapshot, id, request) =>
    place(snapshot, snapshot.countryById.get(id)?.regionId ?? Number.NaN, request),
  l: language,
  a: network,
};

const folderItem = (id: string, title: string, count: number): FolderItem => ({
  kind: 'folder',
  id,
  title,
  count,
});

function rootOf(snapshot: Snapshot, request: FolderRequest): Contents {
  const { words } = request;
  const tops = listTopGenres(snapshot, filterOf({}, request));
  return {
    title: words.text('browse.index'),
    parentId: undefined,
    head: [
      { kind: 'search', id: 'search', title: words.text('browse.search') },
      ...tops.map((top) => genreItem(top, words)),
      folderItem(WORLD_ID, words.text('browse.location'), findRegion(snapshot, WORLD)?.stationCount ?? 0),
      folderItem(LANGUAGES_ID, words.text('browse.language'), snapshot.stations.length),
    ],
    stations: undefined,
  };
}

const languagesOf = (snapshot: Snapshot, request: FolderRequest): Contents => ({
  title: request.words.text('browse.language'),
  parentId: ROOT_ID,
  head: listSpokenLanguages(snapshot, filterOf({}, request)).map(({ id, code, name, stationCount }) =>
    folderItem(guideId('l', id), request.words.languageName(code, name), stationCount),
  ),
  stations: undefined,
});

function genre(snapshot: Snapshot, id: number, request: FolderRequest): Contents | undefined {
  const found = findGenre(snapshot, id);
  if (!found) return undefined;
  const children = listGenresOf(snapshot, id, filterOf({}, request));
  return {
    title: request.words.genreName(found.slug, found.name),
    parentId: found.parent ? guideId('g', found.parent.id) : ROOT_ID,
    head: children.map((child) => genreItem(child, request.words)),
    stations: { genreId: id },
  };
}

const genreItem = ({ id, slug, name, stationCount }: DirectoryGenre, words: Words): FolderItem =>
  folderItem(guideId('g', id), words.genreName(slug, name), stationCount);

/** The world and the continents only lead on. */
function place(snapshot: Snapshot, id: number, request: FolderRequest): Contents | undefined {
  const { words } = request;
  const region = findRegion(snapshot, id);
  if (!region) return undefined;
  const filter = filterOf({}, request);
  const isWide = region.kind === 'root' || region.kind === 'continent';
  const inside = listRegionsOf(snapshot, id, filter).map((child) =>
    folderItem(guideId('r', child.id), nameOf(child, words), child.stationCount),
  );
  const unplaced = id === WORLD ? countStations(snapshot, { ...filter, where: isUnplaced }) : 0;
  return {
    title: (isWide ? undefined : placeNameIn(region, words)) ?? nameOf(region, words),
    parentId: region.parent ? guideId('r', region.parent.id) : ROOT_ID,
    head:
      unplaced > 0 ? [...inside, folderItem(ELSEWHERE_ID, words.text('browse.elsewhere'), unplaced)] : inside,
    stations: isWide ? undefined : { regionId: id },
  };
}

/** Stations without a known place, which no other place has. */
const elsewhere = ({ words }: FolderRequest): Contents => ({
  title: words.text('browse.elsewhere'),
  parentId: WORLD_ID,
  head: [],
  stations: { where: isUnplaced },
});

const isUnplaced = ({ regionId }: DirectoryStation): boolean => regionId === undefined;

const nameOf = ({ kind, code, name }: DirectoryRegion, words: Words): string =>
  kind === 'root' ? words.text('browse.location') : words.regionName(code, name);

function language(snapshot: Snapshot, id: number, { words }: FolderRequest): Contents | undefined {
  const found = findLanguage(snapshot, id);
  return (
    found && {
      title: words.languageName(found.code, found.name),
      parentId: LANGUAGES_ID,
      head: [],
      stations: { languageId: id },
    }
  );
}

function network(snapshot: Snapshot, id: number): Contents | undefined {
  const found = findAffiliate(snapshot, id);
  return found && { title: found.name, parentId: ROOT_ID, head: [], stations: { affiliateId: id } };
}
