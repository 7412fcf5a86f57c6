import type { Snapshot } from '../../../core/directory/snapshot/snapshot.ts';
import type { OpmlDocument } from '../../../formats/opml/document.ts';
import { type TopGenre, topGenreMenu } from './genre-menu.ts';
import type { BrowseRequest } from './request.ts';

/** Categories were editorial groups; these few ids are hard-coded in clients and stored on radios' buttons. */
const TOP_GENRES: ReadonlyMap<number, TopGenre> = new Map([
  [424724, 'music'],
  [424725, 'talk'],
  [424726, 'sports'],
]);
/** News, which a Control4 driver and a VLC script request by this number only. */
const NEWS = 57922;
const NEWS_SLUG = 'news';
/** The target of `c=news`, which programs learnt from other directories' menus. */
export const NEWS_CATEGORY = `c${NEWS}`;

export const isTopCategory = (_snapshot: Snapshot, id: number): boolean => TOP_GENRES.has(id);

export const topCategoryMenu = (request: BrowseRequest, id: number): OpmlDocument =>
  topGenreMenu(request, TOP_GENRES.get(id) ?? 'music');

/** The genre that replaces a category; undefined when we know none. */
export function genreOfCategory(snapshot: Snapshot, id: number): number | undefined {
  if (id !== NEWS) return undefined;
  return [...snapshot.genreById.values()].find(({ slug }) => slug === NEWS_SLUG)?.id;
}
