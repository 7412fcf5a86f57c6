import { stationsInOrder } from '../directory/in-order.ts';
import { stationsIn } from '../directory/in-words.ts';
import type { PageRequest, StationPage } from '../directory/select-stations.ts';
import type { StationFilter } from '../directory/sieve.ts';
import type { OpmlDocument, Outline, Target } from '../opml/document.ts';
import { type ListPresentation, groupOutline, moreStations } from '../opml/outlines.ts';
import { stationLines } from '../opml/station-lines.ts';
import { ORDERS } from './filter.ts';
import { orNothing } from './nothing.ts';
import { type BrowseRequest, filterOfPage } from './request.ts';

/** A list of stations that belongs to one item, and how to get a page of it. */
export interface StationList {
  /** What its menu is asked for by: `id=g12`, `c=lang`. */
  params: Target['params'];
  name: string;
  presentation: ListPresentation;
  page: (request: PageRequest) => StationPage;
}

/** The stations of a group, in the order that the filter asks for. */
export const listOf = (
  { snapshot, filter }: BrowseRequest,
  group: Partial<StationFilter>,
  list: Omit<StationList, 'page'>,
): StationList => ({
  ...list,
  page: (page) => stationsInOrder(snapshot, ORDERS[filter.order ?? 'popular'], { ...page, ...group }),
});

/** The first stations under a heading; the last line leads on. Nothing when there is none. */
export function stationGroup(request: BrowseRequest, list: StationList, text?: string): Outline[] {
  const outlines = stationOutlines(request, list, filterOfPage(request, {}));
  const heading = text ?? request.words.text('browse.stations');
  return outlines.length > 0 ? [groupOutline(heading, 'stations', outlines)] : [];
}

/** A page without a heading, every line of which says that it belongs to a station list. */
export function stationPage(request: BrowseRequest, list: StationList): OpmlDocument {
  const outlines = stationOutlines(request, list, filterOfPage(request, { kind: 's' }));
  const title = request.offset > 0 ? `More Stations - ${list.name}` : list.name;
  return { title, outlines: orNothing(request, outlines) };
}

export function stationOutlines(request: BrowseRequest, list: StationList, filter?: string): Outline[] {
  const { stations: wanted, offset, stationsPerGroup: limit } = request;
  return pageOutlines(request, list, list.page({ ...wanted, offset, limit }), filter);
}

/** A page as lines, the last one leading on. */
export function pageOutlines(
  request: BrowseRequest,
  list: StationList,
  { ranks, more }: StationPage,
  filter?: string,
): Outline[] {
  const outlines = linesOf(request, ranks, list.presentation, filter);
  if (more) outlines.push(moreStations(pageTarget(request, list, request.offset + ranks.length)));
  return outlines;
}

/** Stations as lines, with what they have on air and play. */
export const linesOf = (
  { snapshot, words, onAir, songs }: BrowseRequest,
  ranks: readonly number[],
  presentation: ListPresentation,
  filter?: string,
): Outline[] => stationLines({ ...stationsIn(snapshot, words), onAir, songs }, ranks, presentation, filter);

const pageTarget = (request: BrowseRequest, { params }: StationList, offset: number): Target => ({
  path: '/Browse.ashx',
  params: [['offset', `${offset}`], ...params],
  filter: filterOfPage(request, { kind: 's' }),
});
