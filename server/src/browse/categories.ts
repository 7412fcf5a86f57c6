import type { Snapshot } from '../directory/snapshot.ts';
import type { OpmlDocument } from '../opml/document.ts';
import { type TopGenre, topGenreMenu } from './genre-menu.ts';
import type { BrowseRequest } from './request.ts';

/** Categories were somebody's editorial groups; these few stand in clients' code and on radios' buttons. */
const TOP_GENRES: ReadonlyMap<number, TopGenre> = new Map([
  [424724, 'music'],
  [424725, 'talk'],
  [424726, 'sports'],
]);
/** News, which a Control4 driver and a VLC script ask for by this number alone. */
const NEWS = 57922;
const NEWS_SLUG = 'news';
/** What `c=news` opens, which menus of others link and programs have learnt from them. */
export const NEWS_CATEGORY = `c${NEWS}`;

export const isTopCategory = (_snapshot: Snapshot, id: number): boolean => TOP_GENRES.has(id);

export const topCategoryMenu = (request: BrowseRequest, id: number): OpmlDocument =>
  topGenreMenu(request, TOP_GENRES.get(id) ?? 'music');

/** The genre whose page a category is; undefined when we know of none. */
export function genreOfCategory(snapshot: Snapshot, id: number): number | undefined {
  if (id !== NEWS) return undefined;
  return [...snapshot.genreById.values()].find(({ slug }) => slug === NEWS_SLUG)?.id;
}
