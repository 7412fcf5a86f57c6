import { LRUCache } from 'lru-cache';
import { countStations, eachStation, selectStations } from '../../core/directory/groups/select-stations.ts';
import type { StationFilter } from '../../core/directory/groups/compiled-filter.ts';
import { findStation, stationInitial } from '../../core/directory/lookup/lookups.ts';
import type { DirectoryStation, Snapshot } from '../../core/directory/snapshot/snapshot.ts';
import { findStationFilter, type FolderItem, openFolder, ROOT_ID } from '../../core/folders/folder.ts';
import type { listSaved } from '../../core/folders/saved-items.ts';
import type { Words } from '../../core/i18n/words.ts';
import { numberOf } from '../../lib/guide-id.ts';
import { memoize } from '../../lib/memoize.ts';
import { ALL_FORMATS } from '../../lib/stream-format.ts';

interface UpnpContainer {
  kind: 'container';
  id: string;
  parentId: string;
  title: string;
  childCount: number;
}

/** A station, or an address that somebody saved. */
export interface UpnpItem {
  kind: 'item';
  id: string;
  parentId: string;
  title: string;
  plays: DirectoryStation | Extract<FolderItem, { kind: 'address' }>;
}

export type UpnpObject = UpnpContainer | UpnpItem;

export type SavedFolders = Awaited<ReturnType<typeof listSaved>>;

/** What the tree is made of. */
export interface TreeSources {
  snapshot: Snapshot;
  words: Words;
  /** Of the account whose presets are shown; undefined where none is. */
  saved: SavedFolders | undefined;
  /** What the whole is called. */
  name: string;
}

/** The standard has these two. */
const ROOT = '0';
const ABOVE_ROOT = '-1';
const PRESETS = 'presets';
/** Receivers read a folder to its end before they show any of it, and some give up after a few hundred. */
const MAX_CHILDREN = 200;
/** So many of the most popular stations at least, however many folders come before them. */
const MIN_STATIONS = 50;
/** All folders of a folder: no place and no genre has so many. */
const ALL = { offset: 0, limit: 1000 };

/**
 * `g12`, `presets-2`, and of a folder with more stations than it can show: `g12.az`, its letters; `g12.az-4d`, those with M; and
 * `g12.az-4d-3`, the third part of these.
 */
const CONTAINER = /^([a-z]+\d{0,16}|0)(?:\.az(?:-([0-9a-f]{1,6})(?:-(\d{1,4}))?)?|-(\d{1,3}))?$/;
/** `g12.s123`: an item names the folder it is shown in, since it may have one parent only. No `/`: Kodi makes paths of ids. */
const ITEM = /^(?:(.{1,60})\.)?([su]\d{1,16})$/;

/** An object by its id, which is good for as long as the station or the folder exists. */
export function findObject(sources: TreeSources, id: string): UpnpObject | undefined {
  const [, parentId = ROOT, itemId] = ITEM.exec(id) ?? [];
  if (itemId === undefined) return openContainer(sources, id)?.container;
  if (!CONTAINER.test(parentId)) return undefined;
  const station = findStation(sources.snapshot, numberOf('s', itemId) ?? Number.NaN);
  if (station) return stationOf(station, parentId, id);
  const address = sources.saved?.flatMap(({ items }) => items).find((item) => item.id === itemId);
  return address?.kind === 'address'
    ? { kind: 'item', id, parentId, title: address.title, plays: address }
    : undefined;
}

export const stationOf = (
  station: DirectoryStation,
  parentId: string,
  id = `${parentId}.s${station.id}`,
): UpnpItem => ({ kind: 'item', id, parentId, title: station.name, plays: station });

interface OpenContainer {
  container: UpnpContainer;
  children: () => UpnpObject[];
}

/** A container and how to list what is in it; undefined when there is none of that id. */
export function openContainer(sources: TreeSources, id: string): OpenContainer | undefined {
  const [, folder = '', letter, part, saved] = CONTAINER.exec(id) ?? [];
  if (folder === '') return undefined;
  if (folder === PRESETS) return openPresets(sources, saved === undefined ? undefined : Number(saved));
  if (saved !== undefined) return undefined;
  if (id === folder) return openOwn(sources, folder);
  const filter = findStationFilter(sources.snapshot, folder, sources);
  if (!filter) return undefined;
  if (letter === undefined) return openLetters(sources, folder, filter);
  return openLetter(sources, folder, filter, Number.parseInt(letter, 16), part);
}

/** Which folder of the core a container is. */
const folderOf = (id: string): string => (id === ROOT ? ROOT_ID : id);
const containerOf = (folderId: string): string => (folderId === ROOT_ID ? ROOT : folderId);

/** How many folders and stations a folder has, and how many of the stations it shows itself. */
function layOut({ snapshot, words }: TreeSources, id: string, total: number) {
  const filter = findStationFilter(snapshot, id, { words });
  const stations = filter ? countStations(snapshot, filter) : 0;
  const folders = total - stations;
  const shown = Math.max(MAX_CHILDREN - folders, MIN_STATIONS);
  return { isWhole: stations <= shown, shown, folders, stations };
}

function openOwn(sources: TreeSources, id: string): OpenContainer | undefined {
  const { snapshot, words } = sources;
  const folderId = folderOf(id);
  const folder = openFolder(snapshot, folderId, { ...ALL, limit: 0, words });
  if (!folder) return undefined;
  const { isWhole, shown, folders, stations } = layOut(sources, folderId, folder.total);
  // The folder of a search needs a keyboard: control points have a search of their own.
  const presets = id === ROOT ? presetsIn(sources) : [];
  const ownFolders = id === ROOT ? folders - 1 : folders;
  return {
    container: {
      kind: 'container',
      id,
      parentId: folder.parentId === undefined ? ABOVE_ROOT : containerOf(folder.parentId),
      title: id === ROOT ? sources.name : folder.title,
      childCount: presets.length + ownFolders + (isWhole ? stations : shown + 1),
    },
    children: () => {
      const { items } = openFolder(snapshot, folderId, { ...ALL, words }) ?? folder;
      const heads = items.flatMap((item) => (item.kind === 'folder' ? childFolder(sources, item.id) : []));
      const own = items.flatMap((item) => (item.kind === 'station' ? stationOf(item.station, id) : []));
      const letters = isWhole ? [] : [openContainer(sources, `${id}.az`)?.container ?? []].flat();
      return [...presets, ...heads, ...letters, ...(isWhole ? own : own.slice(0, shown))];
    },
  };
}

const childFolder = (sources: TreeSources, id: string): UpnpContainer[] => {
  const opened = openOwn(sources, id);
  return opened ? [opened.container] : [];
};

function presetsIn(sources: TreeSources): UpnpContainer[] {
  const opened = openPresets(sources, undefined);
  return opened && opened.container.childCount > 0 ? [opened.container] : [];
}

/** A folder in a folder of presets only where somebody has made more than one. */
function openPresets(sources: TreeSources, index: number | undefined): OpenContainer | undefined {
  const { saved, words } = sources;
  if (!saved) return undefined;
  const folders = saved.flatMap(({ name, items }, at) => {
    const id = `${PRESETS}-${at + 1}`;
    const children = items.flatMap((item) => savedItem(item, id));
    const container = {
      kind: 'container',
      id,
      parentId: PRESETS,
      title: name,
      childCount: children.length,
    } as const;
    return children.length === 0 ? [] : [{ container, children: () => children }];
  });
  if (index !== undefined) return folders.find(({ container }) => container.id === `${PRESETS}-${index}`);
  const children =
    folders.length === 1
      ? saved.flatMap(({ items }) => items).flatMap((item) => savedItem(item, PRESETS))
      : folders.map(({ container }) => container);
  const title = words.text('browse.presets');
  return {
    container: { kind: 'container', id: PRESETS, parentId: ROOT, title, childCount: children.length },
    children: () => children,
  };
}

/** Shows have nothing to play here. */
function savedItem(item: FolderItem, parentId: string): UpnpItem[] {
  if (item.kind === 'station') return [stationOf(item.station, parentId)];
  if (item.kind !== 'address' || !/^https?:/i.test(item.address)) return [];
  return [{ kind: 'item', id: `${parentId}.${item.id}`, parentId, title: item.title, plays: item }];
}

/** The letters that names begin with. */
function openLetters({ snapshot, words }: TreeSources, folder: string, filter: StationFilter): OpenContainer {
  const id = `${folder}.az`;
  const counts = new Map<string, number>();
  eachStation(snapshot, filter, (station) => {
    const initial = stationInitial(station);
    counts.set(initial, (counts.get(initial) ?? 0) + 1);
  });
  const initials = [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const title = words.text('browse.allStations');
  return {
    container: { kind: 'container', id, parentId: folder, title, childCount: initials.length },
    children: () =>
      initials.map(([initial, count]) => ({
        kind: 'container',
        id: `${id}-${(initial.codePointAt(0) ?? 0).toString(16)}`,
        parentId: id,
        title: initial,
        childCount: count > MAX_CHILDREN ? Math.ceil(count / MAX_CHILDREN) : count,
      })),
  };
}

/** The stations of a letter by name; where they are too many, in parts that are named by their first and last. */
function openLetter(
  sources: TreeSources,
  folder: string,
  filter: StationFilter,
  codePoint: number,
  part: string | undefined,
): OpenContainer | undefined {
  const initial = codePoint <= 0x10_ff_ff ? String.fromCodePoint(codePoint) : '';
  const above = `${folder}.az`;
  const id = `${above}-${codePoint.toString(16)}`;
  const stations = stationsByName(sources, folder, filter, initial);
  if (stations.length === 0) return undefined;
  if (stations.length <= MAX_CHILDREN && part === undefined) return leaf(id, above, initial, stations);
  const parts = Array.from({ length: Math.ceil(stations.length / MAX_CHILDREN) }, (_, index) => {
    const own = stations.slice(index * MAX_CHILDREN, (index + 1) * MAX_CHILDREN);
    return leaf(`${id}-${index + 1}`, id, `${shortName(own.at(0))} – ${shortName(own.at(-1))}`, own);
  });
  if (part !== undefined) return stations.length > MAX_CHILDREN ? parts[Number(part) - 1] : undefined;
  return {
    container: { kind: 'container', id, parentId: above, title: initial, childCount: parts.length },
    children: () => parts.map(({ container }) => container),
  };
}

const leaf = (
  id: string,
  parentId: string,
  title: string,
  stations: readonly DirectoryStation[],
): OpenContainer => ({
  container: { kind: 'container', id, parentId, title, childCount: stations.length },
  children: () => stations.map((station) => stationOf(station, id)),
});

const SHORT = 18;
const shortName = (station: DirectoryStation | undefined): string =>
  Array.from(station?.name ?? '')
    .slice(0, SHORT)
    .join('')
    .trim();

const collatorOf = memoize((language) => new Intl.Collator(language, { numeric: true, sensitivity: 'base' }));

/** Some thousand stations each; who reads one part reads the next. */
const sorted = new WeakMap<Snapshot, LRUCache<string, readonly DirectoryStation[]>>();
const MAX_SORTED = 30;

function stationsByName(
  { snapshot, words }: TreeSources,
  folder: string,
  filter: StationFilter,
  initial: string,
): readonly DirectoryStation[] {
  const kept = sorted.getOrInsertComputed(snapshot, () => new LRUCache({ max: MAX_SORTED }));
  const key = `${folder} ${initial} ${words.language}`;
  const known = kept.get(key);
  if (known) return known;
  const found: DirectoryStation[] = [];
  eachStation(snapshot, filter, (station) => {
    if (stationInitial(station) === initial) found.push(station);
  });
  const { compare } = collatorOf(words.language);
  found.sort((a, b) => compare(a.name, b.name) || a.id - b.id);
  kept.set(key, found);
  return found;
}

/** The most popular stations of a container and all below it: what there is for who wants everything. */
export function popularIn(
  { snapshot, words }: TreeSources,
  containerId: string,
  limit: number,
): DirectoryStation[] {
  const filter = filterOf(snapshot, words, containerId);
  return filter ? selectStations(snapshot, { ...filter, offset: 0, limit }).stations : [];
}

/** Which stations a container and all below it has; undefined where there are none. */
export function filterOf(snapshot: Snapshot, words: Words, containerId: string): StationFilter | undefined {
  const [folder = ''] = containerId.split('.', 1);
  return folder === ROOT ? { formats: ALL_FORMATS } : findStationFilter(snapshot, folder, { words });
}
