import type { Directory } from '../../core/directory/directory.ts';
import type { Aliases } from '../../core/directory/lookup/by-any-id.ts';
import type { Snapshot } from '../../core/directory/snapshot/snapshot.ts';
import { type Folder, type FolderItem, openFolder, ROOT_ID } from '../../core/folders/folder.ts';
import { searchFolder } from '../../core/folders/found-items.ts';
import type { CallerPlaces } from '../../core/places/caller-places.ts';
import type { Finder } from '../../core/search/finder.ts';
import type { FileCall } from '../../net/http/endpoints/file-endpoint.ts';
import type { Queryable } from '../../storage/db/pool.ts';
import type { Favourites } from './favourites.ts';
import { folderAddress, type LineContext, pageLines, pageAddress, messagePage } from './lines.ts';
import type { Page, PageItem } from './page.ts';
import type { RadioRequest } from './read-request.ts';
import type { RadioStreams } from './station-streams.ts';

export interface MenuDeps {
  directory: Pick<Directory, 'current'>;
  db: Queryable;
  aliases: Pick<Aliases, 'find'>;
  finder: Finder;
  streams: RadioStreams;
  favourites: Favourites;
  /** Stations near the radio come first in what a search finds. */
  places?: Pick<CallerPlaces, 'of'> | undefined;
}

/** A page, and whether nothing but the directory and the family of the radio decides about it. */
export interface MadePage {
  page: Page;
  isForAll: boolean;
}

const MAX_SEARCH = 200;

/** Pages of many items: the tree of folders, searches, favourites. */
export class Menus {
  readonly #deps: MenuDeps;

  constructor(deps: MenuDeps) {
    this.#deps = deps;
  }

  /** By a name in our links: the id of a folder, `g12`, and `g12-100` for what comes after the first hundred. */
  folder(name: string, request: RadioRequest, call: FileCall): MadePage {
    const [, id = name, from = '0'] = /^([^-]+)-(\d{1,9})$/.exec(name) ?? [];
    const snapshot = this.#deps.directory.current();
    if (id === '' || id.toLowerCase() === ROOT_ID) return this.#root(snapshot, request, call);
    const cut = cutOf(request, Number(from));
    const folder = openFolder(snapshot, id.toLowerCase(), { ...cut, words: request.words });
    if (!folder) return { page: messagePage(request.words.text('browse.nothing'), request), isForAll: false };
    const more = (offset: number): string => folderAddress(request, folder.id, offset);
    return this.#list(folder, { request, call, snapshot, first: Number(from), more });
  }

  /** Favourites are the owner's, so they come first; the code for linking comes last. */
  #root(snapshot: Snapshot, request: RadioRequest, call: FileCall): MadePage {
    const { words } = request;
    const { favourites } = this.#deps;
    const { items } = openFolder(snapshot, ROOT_ID, { offset: 0, limit: 1000, words }) ?? { items: [] };
    const { lines } = pageLines(items, this.#context(snapshot, request, call, 'add'));
    const all = [
      ...(favourites.isOpen
        ? [dir(words.text('browse.presets'), pageAddress(request, 'FavXML', 'empty', ''))]
        : []),
      ...lines,
      ...(favourites.isLinkable(call.peer.scheme === 'https')
        ? [dir(words.text('vtuner.link'), pageAddress(request, 'navXML', 'gofile', 'link'))]
        : []),
    ];
    const { offset, limit } = request;
    return { page: { total: all.length, items: all.slice(offset, offset + limit) }, isForAll: true };
  }

  async search(text: string, request: RadioRequest, call: FileCall, first = 0): Promise<Page> {
    const { words } = request;
    const wanted = text.trim().slice(0, MAX_SEARCH);
    if (wanted === '') return messagePage(words.text('search.nothing', { query: '' }), request);
    const snapshot = this.#deps.directory.current();
    const found = await searchFolder({ ...this.#deps, snapshot }, wanted, {
      ...cutOf(request, first),
      words,
      callerAddress: call.peer.listenerAddress,
    });
    if (found.total === 0) return messagePage(words.text('search.nothing', { query: wanted }), request);
    const more = (offset: number): string =>
      pageAddress(request, 'navXML', 'gofile', `search-${offset}-${wanted}`);
    return this.#list(found, { request, call, snapshot, first, more }).page;
  }

  /** Folders of favourites, or what is in one; an account with one folder has no use for a list of it. */
  async favourites(request: RadioRequest, call: FileCall): Promise<Page> {
    const saved = await this.#deps.favourites.list(request);
    const snapshot = this.#deps.directory.current();
    const wanted = request.params.get('sfavname') ?? '';
    const [name, from] = /^(.*)-(\d{1,9})$/s.exec(wanted)?.slice(1) ?? [wanted, '0'];
    const named = saved.filter(({ items }) => items.length > 0);
    const chosen = named.find((each) => each.name === name) ?? (named.length === 1 ? named[0] : undefined);
    const page = chosen
      ? this.#savedPage(chosen, Number(from), { snapshot, request, call })
      : {
          total: named.length,
          items: named.map(({ name: title, items }): PageItem => ({
            type: 'Dir',
            title,
            url: pageAddress(request, 'FavXML', 'sFavName', `${title}-0`),
            count: items.length,
          })),
        };
    if (page.items.length === 0) return messagePage(request.words.text('browse.nothing'), request);
    return { ...page, previous: folderAddress(request, ROOT_ID), isFresh: true };
  }

  #savedPage(
    { name, items }: { name: string; items: readonly FolderItem[] },
    first: number,
    { snapshot, request, call }: Pick<LineContext, 'snapshot' | 'request' | 'call'>,
  ): Page {
    const { offset, limit } = cutOf(request, first);
    const folder = {
      id: 'favourites',
      title: name,
      parentId: ROOT_ID,
      total: items.length,
      items: items.slice(offset, offset + limit),
    };
    const more = (next: number): string => pageAddress(request, 'FavXML', 'sFavName', `${name}-${next}`);
    return this.#list(folder, { request, call, snapshot, first, more, bookmark: 'remove' }).page;
  }

  #context(
    snapshot: Snapshot,
    request: RadioRequest,
    call: FileCall,
    bookmark: LineContext['bookmark'],
  ): LineContext {
    return { request, call, snapshot, streams: this.#deps.streams, bookmark };
  }

  /** A window of a list. A radio that did not ask for one is led on by its last line. */
  #list(
    { total, items, parentId, title }: Folder,
    {
      request,
      call,
      snapshot,
      first,
      more,
      bookmark = 'add',
    }: Pick<LineContext, 'request' | 'call' | 'snapshot'> &
      Partial<Pick<LineContext, 'bookmark'>> & { first: number; more: (offset: number) => string },
  ): MadePage {
    const { words, limit } = request;
    const left = Math.max(0, total - first);
    const isCut = !request.isPaged && left > limit;
    const { lines, isForAll } = pageLines(
      isCut ? items.slice(0, limit - 1) : items,
      this.#context(snapshot, request, call, bookmark),
    );
    if (isCut) {
      const next = first + limit - 1;
      lines.push({
        type: 'Dir',
        title: words.text('browse.moreFrom', { name: title }),
        url: more(next),
        count: total - next,
      });
    }
    if (left === 0) lines.push({ type: 'Display', text: words.text('browse.nothing') });
    const previous = folderAddress(request, parentId ?? ROOT_ID);
    return { page: { total: isCut ? lines.length : Math.max(left, 1), items: lines, previous }, isForAll };
  }
}

const cutOf = ({ offset, limit }: RadioRequest, first: number): { offset: number; limit: number } => ({
  offset: first + offset,
  limit,
});

const dir = (title: string, url: string): PageItem => ({ type: 'Dir', title, url, count: 1 });
