import type { StationFilter } from '../../../core/directory/groups/compiled-filter.ts';
import {
  findRegion,
  listBroadGenres,
  listInitials,
  listRegionsOf,
} from '../../../core/directory/lookup/lookups.ts';
import type { DirectoryRegion } from '../../../core/directory/snapshot/snapshot.ts';
import type { OpmlDocument, Outline, Target } from '../../../formats/opml/document.ts';
import { linkOutline } from '../../../formats/opml/outlines.ts';
import type { BrowseFilter } from './filter.ts';
import { byText, genreName, regionName } from './item-links.ts';
import { type BrowseRequest, filterOfPage } from './request.ts';
import { orNothing, type StationList } from './station-list.ts';

/** A list with its filter, by which it can be split in other ways. */
export interface PivotedList extends StationList {
  group: Partial<StationFilter>;
}

type Named = Pick<PivotedList, 'params'>;

export const mostPopular = (request: BrowseRequest, list: Named): Outline =>
  linkOutline(request.words.text('browse.mostPopular'), flatTarget(request, list, { order: 'popular' }), {
    key: 'popular',
  });

export const findByName = (request: BrowseRequest, list: Named): Outline =>
  linkOutline(request.words.text('browse.findByName'), pivotTarget(request, list, 'name', { kind: 's' }), {
    key: 'pivotName',
  });

export const byLocation = (request: BrowseRequest, list: Named): Outline =>
  linkOutline(request.words.text('browse.location'), pivotTarget(request, list, 'country', { kind: 's' }), {
    key: 'pivotLocation',
  });

export const byGenre = (request: BrowseRequest, list: Named): Outline =>
  linkOutline(request.words.text('browse.byGenre'), pivotTarget(request, list, 'genre', {}), {
    key: 'pivotGenre',
  });

const pivotTarget = (
  request: BrowseRequest,
  { params }: Named,
  pivot: string,
  changes: Partial<BrowseFilter>,
): Target => ({
  path: '/Browse.ashx',
  params: [['pivot', pivot], ...params],
  filter: filterOfPage(request, changes),
});

/** The list split as `pivot` requests; undefined without a pivot, or when it does not apply to this list. */
export function pivotMenu(request: BrowseRequest, list: PivotedList): OpmlDocument | undefined {
  const links = pivotLinks(request, list);
  return links && { title: list.name, outlines: orNothing(request, links) };
}

function pivotLinks(request: BrowseRequest, list: PivotedList): Outline[] | undefined {
  const { pivot } = request;
  if (pivot === 'name') return initialLinks(request, list);
  if (pivot === 'genre') return list.group.genreId === undefined ? genreLinks(request, list) : undefined;
  if (pivot === undefined || list.group.regionId !== undefined) return undefined;
  return regionLinks(request, list);
}

const initialLinks = (request: BrowseRequest, list: PivotedList): Outline[] =>
  listInitials(request.snapshot, { ...request.stations, ...list.group }).map((initial) =>
    linkOutline(initial, flatTarget(request, list, { initial })),
  );

/** The genres of a list's stations. Each links to the list's stations of that genre, so it names no item. */
export const genreLinks = (request: BrowseRequest, list: PivotedList): Outline[] =>
  listBroadGenres(request.snapshot, { ...request.stations, ...list.group }).map((genre) =>
    linkOutline(genreName(request, genre), flatTarget(request, list, { genreId: genre.id })),
  );

/** Continents link to their countries, countries to the list's stations there. */
function regionLinks(request: BrowseRequest, list: PivotedList): Outline[] {
  const { snapshot, stations, filter } = request;
  const within = findRegion(snapshot, filter.regionId ?? 0);
  const inside = within ? listRegionsOf(snapshot, within.id, { ...stations, ...list.group }) : [];
  const links = inside.map((region) =>
    linkOutline(regionName(request, region), regionTarget(request, list, region)),
  );
  return byText(request, links);
}

const regionTarget = (request: BrowseRequest, list: PivotedList, { id, kind }: DirectoryRegion): Target =>
  kind === 'continent'
    ? pivotTarget(request, list, 'country', { kind: 's', regionId: id })
    : flatTarget(request, list, { regionId: id });

const flatTarget = (request: BrowseRequest, { params }: Named, changes: Partial<BrowseFilter>): Target => ({
  path: '/Browse.ashx',
  params,
  filter: filterOfPage(request, { kind: 's', ...changes }),
});
