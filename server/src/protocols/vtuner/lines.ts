import { stationIn } from '../../core/directory/lookup/in-words.ts';
import type { DirectoryStation, Snapshot } from '../../core/directory/snapshot/snapshot.ts';
import type { FolderItem } from '../../core/folders/folder.ts';
import { guideId, numberOf } from '../../lib/guide-id.ts';
import type { FileCall } from '../../net/http/endpoints/file-endpoint.ts';
import type { ListedTopicRow } from '../../storage/catalog/shows/topics.ts';
import { episodeId, savedId, showId, stationId } from './ids.ts';
import { type PageItem, shownText, type StationLine } from './page.ts';
import type { RadioRequest } from './read-request.ts';
import { isReadable, type RadioStreams } from './station-streams.ts';

/**
 * The address of a page. One parameter, never none: radios append theirs with `&`, and some spoil an `&` that is there
 * already.
 */
export const pageAddress = (
  { origin, folder }: RadioRequest,
  page: string,
  name: string,
  value: string,
): string => `${origin}${folder}${page}.asp?${name}=${encodeURIComponent(value)}`;

export const folderAddress = (request: RadioRequest, id: string, offset = 0): string =>
  pageAddress(request, 'navXML', 'gofile', offset === 0 ? id : `${id}-${offset}`);

/** What the items of a page are made with. */
export interface LineContext {
  request: RadioRequest;
  call: FileCall;
  snapshot: Snapshot;
  streams: RadioStreams;
  /** What the key for favourites does. */
  bookmark: 'add' | 'remove';
}

/** The lines of items, and whether every radio of the family would be given the same. */
export function pageLines(
  items: readonly FolderItem[],
  context: LineContext,
): { lines: PageItem[]; isForAll: boolean } {
  let isForAll = true;
  const lines = items.flatMap((item): PageItem | [] => {
    if (item.kind !== 'station') return lineOf(item, context) ?? [];
    const made = stationLine(item.station, context);
    isForAll &&= made.isForAll;
    return made.line;
  });
  return { lines, isForAll };
}

function lineOf(
  item: Exclude<FolderItem, { kind: 'station' }>,
  { request, bookmark }: LineContext,
): PageItem | undefined {
  const { words } = request;
  switch (item.kind) {
    case 'folder':
      return { type: 'Dir', title: item.title, url: folderAddress(request, item.id), count: item.count };
    case 'search':
      return {
        type: 'Search',
        url: pageAddress(request, 'Search', 'sSearchtype', '2'),
        caption: item.title,
        go: item.title,
        cancel: words.text('vtuner.cancel'),
      };
    case 'show': {
      const id = showId(numberOf('p', item.id) ?? 0);
      return {
        type: 'ShowOnDemand',
        id,
        name: nameOf(item.title, id, request),
        logo: logoOf(item.id, request),
        url: pageAddress(request, 'GetShowXML', 'showid', id),
        bookmark: bookmarkOf(request, bookmark, id, true),
      };
    }
    default:
      return savedAddressLine(item, request);
  }
}

/** A listener's own address, as a station. Nothing is left of one that the radio could not ask for. */
export function savedAddressLine(
  { id, title, address }: Extract<FolderItem, { kind: 'address' }>,
  request: RadioRequest,
): StationLine | undefined {
  if (!isReadable(address)) return undefined;
  const own = savedId(numberOf('u', id) ?? 0);
  const name = nameOf(title, own, request);
  return {
    type: 'Station',
    id: own,
    name,
    url: address,
    description: name,
    logo: logoOf(id, request),
    genre: '',
    place: '',
    bitrate: 0,
    mime: 'MP3',
    reliability: 3,
    bookmark: bookmarkOf(request, 'remove', own, false),
  };
}

export function stationLine(
  station: DirectoryStation,
  { request, call, snapshot, streams, bookmark }: LineContext,
): { line: StationLine; isForAll: boolean } {
  const { words } = request;
  const { genreName, placeName, slogan, description } = stationIn(snapshot, station, words);
  const id = stationId(station.id);
  const name = nameOf(station.name, id, request);
  const sound = streams.listed(station, request, call);
  return {
    isForAll: sound.isForAll,
    line: {
      type: 'Station',
      id,
      name,
      url: sound.address,
      description: slogan ?? description ?? name,
      logo: logoOf(guideId('s', station.id), request),
      genre: genreName ?? '',
      place: placeName ?? '',
      bitrate: Math.round(sound.bitrate),
      mime: mimeOf(sound.format),
      reliability: Math.min(5, Math.max(1, Math.ceil(station.reliability / 20))),
      bookmark: bookmarkOf(request, bookmark, id, false),
    },
  };
}

/** An episode, if the radio can ask for it. */
export function episodeLine(
  { id, show_id: show, title, address, format }: ListedTopicRow,
  showTitle: string,
  request: RadioRequest,
): PageItem {
  const own = episodeId(show, id);
  return {
    type: 'ShowEpisode',
    id: own,
    show: nameOf(showTitle, showId(show), request),
    logo: logoOf(guideId('p', show), request),
    name: nameOf(title, own, request),
    url: address,
    bookmark: bookmarkOf(request, 'add', showId(show), true),
    mime: mimeOf(format ?? 'mp3'),
  };
}

/** Of a name of which the radio could show nothing, its id. */
const nameOf = (text: string, id: string, { family }: RadioRequest): string => {
  const shown = shownText(text, family);
  return /[\p{L}\p{N}]/u.test(shown) ? shown : `${id} ${shown}`.trim();
};

const logoOf = (id: string, { origin, family }: RadioRequest): string =>
  `${origin}/logos/${id}${family.logo}.jpg`;

const MIMES: ReadonlyMap<string, string> = new Map([
  ['aac', 'AAC'],
  ['wma', 'WMA'],
]);
/** What is not known is MP3 most of the time. */
const mimeOf = (format: string | undefined): string => MIMES.get(format ?? '') ?? 'MP3';

const bookmarkOf = (request: RadioRequest, does: 'add' | 'remove', id: string, isShow: boolean): string =>
  does === 'add'
    ? pageAddress(request, 'AddFav', isShow ? 'showid' : 'stationid', id)
    : pageAddress(request, 'RemoveFavs', isShow ? 'ShowID' : 'ID', id);

/** A text in lines that fit a display, as a page. */
export function messagePage(text: string, request: RadioRequest, type: 'Display' | 'Message' = 'Display') {
  const items = wrapped(text).map((line) => ({ type, text: line }));
  return { total: items.length, items, previous: folderAddress(request, 'root'), isFresh: true };
}

const LINE_LENGTH = 60;
const MAX_LINES = 8;

function wrapped(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < LINE_LENGTH)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.slice(0, MAX_LINES);
}
