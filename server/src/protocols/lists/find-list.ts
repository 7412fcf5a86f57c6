import { findListOwner } from '../../core/accounts/list-tokens.ts';
import type { Directory } from '../../core/directory/directory.ts';
import type { Aliases } from '../../core/directory/lookup/by-any-id.ts';
import { findCountryRegion, findStation } from '../../core/directory/lookup/lookups.ts';
import { type DirectoryStation, lineageOf, type Snapshot } from '../../core/directory/snapshot/snapshot.ts';
import { type FolderItem, type FolderRequest, openStations, stationItem } from '../../core/folders/folder.ts';
import { searchFolder } from '../../core/folders/found-items.ts';
import { listSaved } from '../../core/folders/saved-items.ts';
import type { Words } from '../../core/i18n/words.ts';
import type { CallerPlaces } from '../../core/places/caller-places.ts';
import type { Finder } from '../../core/search/finder.ts';
import { Fault } from '../../lib/fault.ts';
import { guideId, numberOf, parseGuideId } from '../../lib/guide-id.ts';
import { inTime, READ_MS } from '../../storage/cache/in-time.ts';
import type { Queryable } from '../../storage/db/pool.ts';
import type { ListRequest } from './read-request.ts';

export interface ListSources {
  directory: Pick<Directory, 'current'>;
  db: Queryable;
  aliases: Pick<Aliases, 'find'>;
  finder: Finder;
  /** Stations near the caller come first in what a search finds. */
  places?: Pick<CallerPlaces, 'of'> | undefined;
}

/** What a list has, before it is written in a format. */
export interface FoundList {
  title: string;
  snapshot: Snapshot;
  items: readonly ListedItem[];
  /** Of all items, not of those on this page. */
  total: number;
  /** Where nothing but the directory decides about it: when that changed. */
  lastModified?: Temporal.Instant;
}

export interface ListedItem {
  item: FolderItem;
  /** Headings under which a player shows it. */
  groups: readonly string[];
  /** Its number, where its owner gave it a place. */
  position?: number;
}

export async function findList(
  sources: ListSources,
  file: ListRequest,
  { words, callerAddress }: { words: Words; callerAddress: string },
): Promise<FoundList> {
  const snapshot = sources.directory.current();
  const { what, token, text, offset, limit } = file;
  const request: FolderRequest = { offset, limit, words };
  if (token !== undefined) return presetsOf(sources, snapshot, token, request);
  const grouped = (item: FolderItem): ListedItem => ({
    item,
    groups: item.kind === 'station' ? groupsOf(snapshot, item.station, words) : [],
  });
  if (what === 'search') {
    const asked = { ...request, callerAddress };
    const { title, total, items } = await searchFolder({ ...sources, snapshot }, text, asked);
    return { snapshot, title, total, items: items.map(grouped) };
  }
  const station = findStation(snapshot, numberOf('s', what) ?? Number.NaN);
  const folder = station
    ? { title: station.name, total: 1, items: offset === 0 ? [stationItem(station)] : [] }
    : openStations(snapshot, folderId(snapshot, what) ?? '', request);
  if (!folder) throw unknownList(what);
  const { title, total, items } = folder;
  return { snapshot, title, total, items: items.map(grouped), lastModified: snapshot.changedAt };
}

/** A guide ID, or the folder that the code of a country or the name of a genre means. */
function folderId(snapshot: Snapshot, what: string): string | undefined {
  if (parseGuideId(what)) return what;
  const country = /^[a-z]{2}$/.test(what) ? findCountryRegion(snapshot, what.toUpperCase()) : undefined;
  if (country) return guideId('r', country.id);
  const genre = [...snapshot.genreById.values()].find(({ slug }) => slug === what);
  return genre && guideId('g', genre.id);
}

const unknownList = (what: string): Fault =>
  new Fault(
    404,
    undefined,
    `There is no list ${what}: give a genre (g12 or jazz), a country (ie), a place (r5), a language (l3), a network (a2), a station (s1) or search; the world and the continents are too large`,
  );

/** `Jazz`, `Ireland`. */
function groupsOf(
  { genreById, regionById }: Snapshot,
  { genreId, regionId }: DirectoryStation,
  words: Words,
): string[] {
  const genre = genreById.get(genreId ?? Number.NaN);
  const region = regionById.get(regionId ?? Number.NaN);
  const country = region && lineageOf(region).find(({ kind }) => kind === 'country');
  return [
    genre && words.genreName(genre.slug, genre.name),
    country && words.regionName(country.code, country.name),
  ].filter((text) => text !== undefined);
}

/** The same answer for a token that nobody has, one that was revoked and one of a closed account. */
async function presetsOf(
  { db }: ListSources,
  snapshot: Snapshot,
  token: string,
  { offset, limit, words }: FolderRequest,
): Promise<FoundList> {
  const owner = await inTime(() => findListOwner(db, token), READ_MS);
  if (!owner)
    throw new Fault(
      404,
      undefined,
      'There is no such list; its address may have been revoked: ask for a new one',
    );
  const folders = await inTime(() => listSaved(db, snapshot, owner.account_id), READ_MS);
  const items = folders
    .flatMap(({ name, items: saved }) => saved.map((item) => ({ item, groups: [name] })))
    .map((listed, index) => ({ ...listed, position: index + 1 }));
  const title =
    owner.username === null
      ? words.text('browse.presets')
      : words.text('browse.favorites', { name: owner.username });
  return { snapshot, title, total: items.length, items: items.slice(offset, offset + limit) };
}
