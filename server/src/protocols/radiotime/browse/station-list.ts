import {
  type PageRequest,
  type StationPage,
  stationsInOrder,
} from '../../../core/directory/groups/select-stations.ts';
import type { StationFilter } from '../../../core/directory/groups/compiled-filter.ts';
import { networksBehind } from '../../../core/directory/groups/once-per-family.ts';
import { stationsIn } from '../../../core/directory/lookup/in-words.ts';
import type { Words } from '../../../core/i18n/words.ts';
import type { OpmlDocument, Outline, Target } from '../../../formats/opml/document.ts';
import {
  groupOutline,
  type ListPresentation,
  moreStations,
  textOutline,
} from '../../../formats/opml/outlines.ts';
import { familyLink, MAX_FAMILY_LINKS, withFamilyLinks } from '../outlines/family-lines.ts';
import { stationLines } from '../outlines/station-lines.ts';
import { ORDERS } from './filter.ts';
import { type BrowseRequest, filterBelow, filterOfPage, STATIONS_ONLY } from './request.ts';

/** A list of stations that belongs to one item, and how to read a page of it. */
export interface StationList {
  /** The parameters of its menu: `id=g12`, `c=lang`. */
  params: Target['params'];
  name: string;
  presentation: ListPresentation;
  page: (request: PageRequest) => StationPage;
  /** Set where a family is one line: what the other stations of a family have to match to be worth a link. */
  families?: StationFilter | undefined;
}

/** The stations of a group, in the order requested by the filter. */
export const listOf = (
  { snapshot, filter }: BrowseRequest,
  group: Partial<StationFilter>,
  list: Omit<StationList, 'page'>,
): StationList => ({
  ...list,
  page: (page) =>
    stationsInOrder(snapshot, ORDERS[filter.order ?? 'popular'], {
      ...page,
      ...group,
      oneLine: list.families && 'family',
    }),
});

/** The first stations under a heading, with a link to more. Empty when there are none. */
export function stationGroup(request: BrowseRequest, list: StationList, text?: string): Outline[] {
  const outlines = stationOutlines(request, list, filterOfPage(request));
  const heading = text ?? request.words.text('menu.stations');
  return outlines.length > 0 ? [groupOutline(heading, 'stations', outlines)] : [];
}

/** A page without a heading; every line is marked as part of a station list. */
export function stationPage(request: BrowseRequest, list: StationList): OpmlDocument {
  const outlines = stationOutlines(request, list, filterOfPage(request, STATIONS_ONLY));
  const title = request.offset > 0 ? `More Stations - ${list.name}` : list.name;
  return { title, outlines: orNothing(request, outlines) };
}

export function stationOutlines(request: BrowseRequest, list: StationList, filter?: string): Outline[] {
  const { stations: wanted, offset, stationsPerGroup: limit } = request;
  return pageOutlines(request, list, list.page({ ...wanted, offset, limit }), filter);
}

/** A page as lines, with a link to the next one. */
export function pageOutlines(
  request: BrowseRequest,
  list: StationList,
  { ranks, more }: StationPage,
  filter?: string,
): Outline[] {
  const outlines = list.families
    ? linesOfFamilies(request, list, list.families, ranks, filter)
    : linesOf(request, ranks, list.presentation, filter);
  if (more) outlines.push(moreStations(pageTarget(request, list, request.offset + ranks.length)));
  return outlines;
}

/** The same with a link behind the first few lines that stand for several stations of the list. */
function linesOfFamilies(
  request: BrowseRequest,
  { presentation }: StationList,
  families: StationFilter,
  ranks: readonly number[],
  filter: string | undefined,
): Outline[] {
  const networks = networksBehind(request.snapshot, ranks, families, MAX_FAMILY_LINKS);
  if (networks.size === 0) return linesOf(request, ranks, presentation, filter);
  const { snapshot, words, onAir, songs } = request;
  const stations = { ...stationsIn(snapshot, words), onAir, songs };
  return withFamilyLinks(
    ranks,
    (rank) => networks.get(rank),
    (some) => stationLines(stations, some, presentation, filter),
    (network) => familyLink(network, request.words, filterBelow(request)),
  );
}

/** Stations as lines, with their current show and song. */
export const linesOf = (
  { snapshot, words, onAir, songs }: BrowseRequest,
  ranks: readonly number[],
  presentation: ListPresentation,
  filter?: string,
): Outline[] => stationLines({ ...stationsIn(snapshot, words), onAir, songs }, ranks, presentation, filter);

const pageTarget = (request: BrowseRequest, { params }: StationList, offset: number): Target => ({
  path: '/Browse.ashx',
  params: [['offset', `${offset}`], ...params],
  filter: filterOfPage(request, STATIONS_ONLY),
});

/** An empty menu says so, because some radios show nothing at all otherwise. */
export const orNothing = ({ words }: { words: Words }, outlines: Outline[]): Outline[] =>
  outlines.length > 0 ? outlines : [textOutline(words.text('browse.nothing'))];
