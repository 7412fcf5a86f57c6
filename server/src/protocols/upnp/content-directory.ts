import { LRUCache } from 'lru-cache';
import { compileFilter, fits } from '../../core/directory/groups/compiled-filter.ts';
import type { Directory } from '../../core/directory/directory.ts';
import type { Aliases } from '../../core/directory/lookup/by-any-id.ts';
import { type Snapshot, snapshotName } from '../../core/directory/snapshot/snapshot.ts';
import { searchFolder } from '../../core/folders/found-items.ts';
import type { Words } from '../../core/i18n/words.ts';
import type { CallerPlaces } from '../../core/places/caller-places.ts';
import type { Finder } from '../../core/search/finder.ts';
import { inTime, READ_MS } from '../../storage/cache/in-time.ts';
import { type DidlReader, ITEM_CLASS, titleOf, writeDidl } from './didl.ts';
import { type Criteria, meets, parseSearchCriteria, searchedTexts } from './search-criteria.ts';
import { SoapFault, type SoapResult } from './soap.ts';
import {
  filterOf,
  findObject,
  openContainer,
  popularIn,
  type SavedFolders,
  stationOf,
  type TreeSources,
  type UpnpItem,
  type UpnpObject,
} from './tree.ts';

/** Everybody who asks is in the house. */
const HOME = '127.0.0.1';

export interface ContentSources {
  directory: Pick<Directory, 'current'>;
  finder: Finder;
  aliases: Pick<Aliases, 'find'>;
  /** Where the house is. */
  places?: Pick<CallerPlaces, 'of'> | undefined;
  /** What the household's account has saved; undefined without one. */
  saved: () => Promise<SavedFolders | undefined>;
  /** What the server is called. */
  name: string;
}

/** A control point's call, with what is known of who calls. */
export interface ContentCall {
  args: ReadonlyMap<string, string>;
  words: Words;
  reader: DidlReader;
  /** All that a written list depends on beside the directory; undefined where it is for this caller alone. */
  readerKey: string | undefined;
}

const MAX_ID = 100;
const MAX_CRITERIA = 2000;
/** In one answer, as everywhere; the caller goes on from where it ends. */
const MAX_RETURNED = 1000;
/** Of a search; and of one for everything, which some do to copy a whole library. */
const MAX_FOUND = 500;
/** A search with more alternatives is no person's. */
const MAX_TEXTS = 4;
/** Of lists that nothing but the directory decides about. */
const KEPT_BYTES = 16 * 2 ** 20;
/** Streams fail and come back in between, and with them changes which format is named. */
const KEPT_MS = 300_000;

/** The directory as a UPnP ContentDirectory: folders, stations and searches. */
export class ContentDirectory {
  readonly #sources: ContentSources;
  readonly #kept = new LRUCache<string, SoapResult>({
    maxSize: KEPT_BYTES,
    ttl: KEPT_MS,
    // As a list, and once more as it is sent.
    sizeCalculation: (result) => result.reduce((sum, [, value]) => sum + 3 * String(value).length, 200),
  });

  constructor(sources: ContentSources) {
    this.#sources = sources;
  }

  /** Undefined for an action that there is none of. */
  call(action: string, call: ContentCall): SoapResult | Promise<SoapResult> | undefined {
    switch (action) {
      case 'Browse':
        return this.#browse(call);
      case 'Search':
        return this.#search(call);
      case 'GetSearchCapabilities':
        return [['SearchCaps', 'dc:title,upnp:class,upnp:genre']];
      case 'GetSortCapabilities':
        return [['SortCaps', 'dc:title']];
      case 'GetSystemUpdateID':
        return [['Id', updateId(this.#sources.directory.current())]];
      default:
        return undefined;
    }
  }

  #browse(call: ContentCall): SoapResult | Promise<SoapResult> {
    const id = textOf(call, 'ObjectID', MAX_ID);
    const snapshot = this.#sources.directory.current();
    // The root shows presets, which are not of the directory.
    if (/^(?:0$|presets|0\.u)/.test(id) || /\.u\d+$/.test(id))
      return this.#withSaved(snapshot, call).then((tree) => browse(tree, id, call));
    if (call.readerKey === undefined) return browse(this.#tree(snapshot, call, undefined), id, call);
    const key = `${snapshotName(snapshot)} ${call.readerKey} ${call.words.language} ${argsKey(call)}`;
    const kept = this.#kept.get(key);
    if (kept) return kept;
    const result = browse(this.#tree(snapshot, call, undefined), id, call);
    this.#kept.set(key, result);
    return result;
  }

  #tree(snapshot: Snapshot, { words }: ContentCall, saved: SavedFolders | undefined): TreeSources {
    return { snapshot, words, saved, name: this.#sources.name };
  }

  async #withSaved(snapshot: Snapshot, call: ContentCall): Promise<TreeSources> {
    return this.#tree(snapshot, call, await this.#sources.saved());
  }

  async #search(call: ContentCall): Promise<SoapResult> {
    const containerId = textOf(call, 'ContainerID', MAX_ID);
    const criteria = parseSearchCriteria(textOf(call, 'SearchCriteria', MAX_CRITERIA));
    const snapshot = this.#sources.directory.current();
    const tree = await this.#withSaved(snapshot, call);
    if (!openContainer(tree, containerId)) throw noContainer(containerId);
    const found = await this.#find(tree, containerId, criteria);
    return windowOf(found, snapshot, call);
  }

  /** Stations that meet the criteria, the best first. */
  async #find(tree: TreeSources, containerId: string, criteria: Criteria): Promise<UpnpItem[]> {
    const { snapshot, words } = tree;
    const texts = searchedTexts(criteria).filter((text) => text !== '');
    if (texts.length > MAX_TEXTS)
      throw new SoapFault('badSearch', `Search for at most ${MAX_TEXTS} texts at a time`);
    const candidates = new Map<UpnpItem, Set<string>>();
    if (texts.length === 0)
      for (const station of popularIn(tree, containerId, MAX_FOUND))
        candidates.set(stationOf(station, containerId), new Set());
    const byId = new Map<number, UpnpItem>();
    const filter = filterOf(snapshot, words, containerId);
    const inside = filter && compileFilter(snapshot, filter);
    for (const text of texts) {
      const request = { offset: 0, limit: MAX_FOUND, words, callerAddress: HOME };
      const { items } = await inTime(
        () => searchFolder({ ...this.#sources, snapshot }, text, request),
        READ_MS,
      );
      for (const item of items) {
        if (item.kind !== 'station' || !inside || !fits(inside, item.station.rank, 0)) continue;
        const known = byId.getOrInsertComputed(item.station.id, () => stationOf(item.station, containerId));
        candidates.getOrInsertComputed(known, () => new Set()).add(text);
      }
    }
    return [...candidates]
      .filter(([item, foundBy]) => meets(criteria, { properties: propertiesOf(item), foundBy }))
      .map(([item]) => item)
      .slice(0, MAX_FOUND);
  }
}

function browse(tree: TreeSources, id: string, call: ContentCall): SoapResult {
  const flag = call.args.get('BrowseFlag');
  if (flag === 'BrowseMetadata') {
    const object = findObject(tree, id);
    if (!object) throw noObject(id);
    return resultOf([object], 1, tree.snapshot, call);
  }
  if (flag !== 'BrowseDirectChildren')
    throw new SoapFault('invalidArgs', 'BrowseFlag is BrowseMetadata or BrowseDirectChildren');
  const opened = openContainer(tree, id);
  if (opened) return windowOf(opened.children(), tree.snapshot, call);
  // An item has no children; of anything else nobody knows.
  if (findObject(tree, id)) return resultOf([], 0, tree.snapshot, call);
  throw noObject(id);
}

const noObject = (id: string): SoapFault =>
  new SoapFault('noSuchObject', `There is no object ${JSON.stringify(id)}; browse from 0 on`);
const noContainer = (id: string): SoapFault =>
  new SoapFault('noSuchContainer', `There is no container ${JSON.stringify(id)}; search in 0`);

function windowOf(objects: readonly UpnpObject[], snapshot: Snapshot, call: ContentCall): SoapResult {
  const start = numberOfArg(call, 'StartingIndex');
  const count = numberOfArg(call, 'RequestedCount');
  const end = start + Math.min(count === 0 ? MAX_RETURNED : count, MAX_RETURNED);
  const sorted = sortedBy(objects, textOf(call, 'SortCriteria', MAX_CRITERIA), call.words.language);
  return resultOf(sorted.slice(start, end), objects.length, snapshot, call);
}

const resultOf = (
  objects: readonly UpnpObject[],
  total: number,
  snapshot: Snapshot,
  { reader }: ContentCall,
): SoapResult => [
  ['Result', writeDidl(objects, reader)],
  ['NumberReturned', objects.length],
  ['TotalMatches', total],
  ['UpdateID', updateId(snapshot)],
];

const UINT32 = 2 ** 32;
const updateId = ({ version }: Snapshot): number => version % UINT32;

/** By title, folders first; properties that nothing here has leave the order as it is. */
function sortedBy(objects: readonly UpnpObject[], criteria: string, language: string): readonly UpnpObject[] {
  const parts = criteria.split(',').map((part) => part.trim());
  if (!parts.every((part) => part === '' || /^[+-]?[\w@:.]+$/.test(part)))
    throw new SoapFault('badSort', 'SortCriteria is a list such as +dc:title');
  const byTitle = parts.find((part) => /^[+-]?dc:title$/i.test(part));
  if (byTitle === undefined) return objects;
  const { compare } = new Intl.Collator(language, { numeric: true });
  const sign = byTitle.startsWith('-') ? -1 : 1;
  return objects.toSorted(
    (a, b) => Number(a.kind === 'item') - Number(b.kind === 'item') || sign * compare(a.title, b.title),
  );
}

const propertiesOf = (item: UpnpItem): Map<string, string> => {
  const properties = new Map([
    ['dc:title', titleOf(item)],
    ['upnp:class', ITEM_CLASS],
    ['@id', item.id],
    ['@parentid', item.parentId],
    ['res', ''],
  ]);
  if (!('kind' in item.plays) && item.plays.genreName !== undefined)
    properties.set('upnp:genre', item.plays.genreName);
  return properties;
};

const argsKey = ({ args }: ContentCall): string =>
  ['ObjectID', 'BrowseFlag', 'StartingIndex', 'RequestedCount', 'SortCriteria']
    .map((name) => args.get(name) ?? '')
    .join('\n');

function textOf({ args }: ContentCall, name: string, most: number): string {
  const text = args.get(name)?.trim() ?? (name === 'SortCriteria' ? '' : undefined);
  if (text === undefined) throw new SoapFault('invalidArgs', `The argument ${name} is missing`);
  if (text.length > most) throw new SoapFault('invalidArgs', `${name} has more than ${most} characters`);
  return text.toWellFormed();
}

/** Left out, it is 0, which for a count means all. */
function numberOfArg({ args }: ContentCall, name: string): number {
  const text = args.get(name)?.trim() ?? '';
  if (/^\d{0,10}$/.test(text)) return Number(text);
  throw new SoapFault('invalidArgs', `${name} is a whole number from 0 on`);
}
