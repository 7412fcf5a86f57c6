import { idsUnderGenre } from '../../../core/directory/lookup/lookups.ts';
import type { DirectoryGenre } from '../../../core/directory/snapshot/snapshot.ts';
import type { OpmlDocument, Outline, Target } from '../../../formats/opml/document.ts';
import { groupOutline, linkOutline, moreShows } from '../../../formats/opml/outlines.ts';
import { mapSync } from '../../../storage/cache/cached.ts';
import { showOutline } from '../outlines/show-outlines.ts';
import { type BrowseRequest, filterOfPage } from './request.ts';
import type { ShowPage, ShowPages, ShowQuery } from './show-pages.ts';
import { orNothing } from './station-list.ts';

/** A list of shows: the parameters of its menu, and its name. */
export interface ShowList {
  params: Target['params'];
  name: string;
}

/** The shows available for a menu, under a heading; empty when there are none. */
export function showGroup(request: BrowseRequest, list: ShowList): Outline[] {
  const outlines = request.shows ? showOutlines(request, list, request.shows) : [];
  return outlines.length > 0 ? [groupOutline(request.words.text('browse.shows'), 'shows', outlines)] : [];
}

/** A page of shows only. */
export function showPage(request: BrowseRequest, list: ShowList, page: ShowPage): OpmlDocument {
  const title = request.offset > 0 ? `More Shows - ${list.name}` : list.name;
  return { title, outlines: orNothing(request, showOutlines(request, list, page)) };
}

function showOutlines(
  request: BrowseRequest,
  { params }: ShowList,
  { shows, more, hasTopics }: ShowPage,
): Outline[] {
  const outlines = shows.map(showOutline);
  if (hasTopics) outlines.push(recentTopics(request, params));
  if (more) {
    const next = ['offset', `${request.offset + shows.length}`] as const;
    const filter = filterOfPage(request, { kind: 'p' });
    outlines.push(moreShows({ path: '/Browse.ashx', params: [next, ...params], filter }));
  }
  return outlines;
}

/** Placed before the link to more shows, which clients expect last. */
const recentTopics = (request: BrowseRequest, params: Target['params']): Outline =>
  linkOutline(
    request.words.text('menu.topics'),
    { path: '/Browse.ashx', params, filter: filterOfPage(request, { kind: 'p', topics: true }) },
    { key: 'recentTopics' },
  );

/** Within a language a menu of genres has those of its shows as well. */
export function withShowGenres<R>(
  request: BrowseRequest,
  pages: Pick<ShowPages, 'cachedGenreIds'>,
  make: (request: BrowseRequest) => R | Promise<R>,
): R | Promise<R> {
  const { filter, stations } = request;
  if (filter.languageId === undefined) return make(request);
  const ids = pages.cachedGenreIds(stations.formats, filter.languageId);
  return mapSync(ids, (showGenreIds = []) => make({ ...request, showGenreIds }));
}

/** The genres of a menu: those with stations, and those under which there are shows. */
export function genresToList(
  { showGenreIds = [] }: BrowseRequest,
  all: readonly DirectoryGenre[],
  withStations: readonly DirectoryGenre[],
): readonly DirectoryGenre[] {
  if (showGenreIds.length === 0) return withStations;
  const ids = new Set(showGenreIds);
  return all.filter(
    (genre) => withStations.includes(genre) || idsUnderGenre(genre).some((id) => ids.has(id)),
  );
}

/** The query for the shows of a genre or language menu. */
export const showQuery = (
  { offset, showsPerGroup, filter, stations }: BrowseRequest,
  genreId: number | undefined,
): ShowQuery => ({
  genreId,
  languageId: filter.languageId,
  offset,
  limit: showsPerGroup,
  formats: stations.formats,
});
