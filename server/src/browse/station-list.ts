import type { PageRequest, StationPage } from '../directory/select-stations.ts';
import { guideId, type GuideLetter } from '../lib/guide-id.ts';
import type { OpmlDocument, Outline, Target } from '../opml/document.ts';
import {
  groupOutline,
  moreStations,
  stationLine,
  stationOutline,
  textOutline,
  type Presentation,
} from '../opml/outlines.ts';
import { filterText, type BrowseRequest } from './request.ts';

/** A list of stations that belongs to one item, and how to get a page of it. */
export interface StationList {
  /** What its menu is asked for by: `id=g12`, `c=lang`. */
  params: Target['params'];
  name: string;
  presentation: Presentation;
  page: (request: PageRequest) => StationPage;
}

const pageRequest = ({ stations, offset, limit }: BrowseRequest): PageRequest => ({
  ...stations,
  offset,
  limit,
});

/** The first stations under a heading; the last line leads on. Nothing when there is none. */
export function stationGroup(request: BrowseRequest, list: StationList, text = 'Stations'): Outline[] {
  const outlines = stationOutlines(request, list, filterText(request));
  return outlines.length > 0 ? [groupOutline(text, 'stations', outlines)] : [];
}

/** A later page: no heading, every line says that it belongs to a station list. */
export function stationPage(request: BrowseRequest, list: StationList): OpmlDocument {
  const outlines = stationOutlines(request, list, filterText(request, 's'));
  return { title: `More Stations - ${list.name}`, outlines: orNothing(outlines) };
}

function stationOutlines(request: BrowseRequest, list: StationList, filter: string | undefined): Outline[] {
  const { stations, more } = list.page(pageRequest(request));
  const outlines = stations.map((station) =>
    filter === undefined
      ? stationLine(station, list.presentation)
      : stationOutline(station, list.presentation, filter),
  );
  return more
    ? [...outlines, moreStations(pageTarget(request, list, request.offset + stations.length))]
    : outlines;
}

export const pageTarget = (request: BrowseRequest, { params }: StationList, offset: number): Target => ({
  path: '/Browse.ashx',
  params: [['offset', `${offset}`], ...params],
  filter: filterText(request, 's'),
});

/** An empty menu says so: some radios show nothing at all otherwise. */
export const orNothing = (outlines: Outline[]): Outline[] =>
  outlines.length > 0 ? outlines : [textOutline('No stations or shows available')];

/** A link to the menu of an item. */
export const itemTarget = (request: BrowseRequest, letter: GuideLetter, id: number): Target => ({
  path: '/Browse.ashx',
  params: [['id', guideId(letter, id)]],
  filter: filterText(request),
});
