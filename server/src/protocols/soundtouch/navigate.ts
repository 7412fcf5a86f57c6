import type { Aliases } from '../../core/directory/lookup/by-any-id.ts';
import type { Directory } from '../../core/directory/directory.ts';
import { type Folder, type FolderItem, openFolder, ROOT_ID } from '../../core/folders/folder.ts';
import { searchFolder } from '../../core/folders/found-items.ts';
import type { Words } from '../../core/i18n/words.ts';
import type { CallerPlaces } from '../../core/places/caller-places.ts';
import type { Finder } from '../../core/search/finder.ts';
import { cleanMarkupText } from '../../formats/opml/characters.ts';
import { Fault } from '../../lib/fault.ts';

export interface NavigateDeps {
  directory: Pick<Directory, 'current'>;
  aliases: Pick<Aliases, 'find'>;
  finder: Finder;
  places?: Pick<CallerPlaces, 'of'> | undefined;
  callerAddress: string;
  origin: string;
  words: Words;
}

export const SEARCH_LINK = { filters: [], href: '/v1/search?q={query}', templated: true };

const MAX_LINE_LENGTH = 100;
/** One line, as short as a display. */
export const lineOf = (text: string): string =>
  cleanMarkupText(text)
    .replaceAll(/[\p{Cc}\u2028\u2029\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_LINE_LENGTH)
    .toWellFormed();

export const logoAddress = (origin: string, id: string): string => `${origin}/logos/${id}q.png`;

const PAGE = 100;
const MAX_TEXT = 200;

/** A page of a folder, by the text in its address: `root`, or an id and where the page begins, in base64. */
export function navigate({ directory, origin, words }: NavigateDeps, coded: string | undefined): unknown {
  const { id, offset } = coded === undefined ? { id: ROOT_ID, offset: 0 } : parsePage(coded);
  const folder = openFolder(directory.current(), id, { offset, limit: PAGE, words });
  if (!folder) throw new Fault(404, undefined, 'There is no such folder: begin at /bmx/tunein/v1/navigate');
  const next = offset + PAGE;
  const more =
    next < folder.total
      ? [folderLink(words.text('browse.moreFrom', { name: folder.title }), writePage({ id, offset: next }))]
      : [];
  return {
    _links: { self: { href: hrefOf({ id, offset }) }, ...(id === ROOT_ID && { bmx_search: SEARCH_LINK }) },
    layout: 'classic',
    bmx_sections: [section(folder, origin, hrefOf({ id, offset }), more)],
  };
}

export async function searchSections(deps: NavigateDeps, text: string): Promise<unknown> {
  const asked = searchedText(text);
  const snapshot = deps.directory.current();
  const folder = await searchFolder({ ...deps, snapshot }, asked, {
    offset: 0,
    limit: PAGE,
    words: deps.words,
    callerAddress: deps.callerAddress,
  });
  const href = `/v1/search?${new URLSearchParams({ q: asked }).toString()}`;
  return {
    _links: { self: { href } },
    layout: 'classic',
    bmx_sections: [section(folder, deps.origin, href, [])],
  };
}

/** What somebody searches for. */
export function searchedText(text: string): string {
  const asked = text.toWellFormed().replaceAll('\0', '').trim();
  if (asked !== '' && asked.length <= MAX_TEXT) return asked;
  throw new Fault(400, undefined, `Say what to search for, in at most ${MAX_TEXT} characters`);
}

const section = (folder: Folder, origin: string, href: string, more: readonly unknown[]): unknown => ({
  _links: { self: { href } },
  name: lineOf(folder.title),
  layout: 'list',
  items: [...folder.items.flatMap((item) => itemOf(item, origin) ?? []), ...more],
});

/** Shows are heard by their episodes, which speakers ask for in another way; searches have a place of their own. */
function itemOf(item: FolderItem, origin: string): unknown {
  if (item.kind === 'folder') return folderLink(item.title, writePage({ id: item.id, offset: 0 }));
  if (item.kind !== 'station') return undefined;
  const [name, art] = [lineOf(item.title), logoAddress(origin, item.id)];
  const play = { href: `/v1/playback/station/${item.id}`, type: 'stationurl' };
  return {
    _links: { bmx_playback: play, bmx_preset: { ...play, name, containerArt: art } },
    name,
    imageUrl: art,
    subtitle: lineOf(item.station.placeName ?? ''),
  };
}

const folderLink = (title: string, coded: string): unknown => ({
  _links: { bmx_navigate: { href: `/v1/navigate/${coded}` } },
  name: lineOf(title),
  imageUrl: '',
  subtitle: '',
});

interface Page {
  id: string;
  offset: number;
}

const writePage = ({ id, offset }: Page): string => Buffer.from(`${id} ${offset}`).toString('base64url');
const hrefOf = (page: Page): string =>
  page.id === ROOT_ID && page.offset === 0 ? '/v1/navigate' : `/v1/navigate/${writePage(page)}`;

function parsePage(coded: string): Page {
  const [, id = '', digits = ''] =
    /^([a-z]{1,20}\d{0,15}) (\d{1,15})$/.exec(Buffer.from(coded, 'base64url').toString()) ?? [];
  return { id, offset: Number(digits) };
}
