import { findRegion, listRegionsOf, stationsOfRegion } from '../directory/by-place.ts';
import type { DirectoryRegion } from '../directory/snapshot.ts';
import { Fault } from '../lib/fault.ts';
import { guideId } from '../lib/guide-id.ts';
import type { OpmlDocument, Outline } from '../opml/document.ts';
import { groupOutline, linkOutline } from '../opml/outlines.ts';
import type { BrowseRequest } from './request.ts';
import {
  itemTarget,
  orNothing,
  pageTarget,
  stationGroup,
  stationPage,
  type StationList,
} from './station-list.ts';

const ROOT = 0;

/**
 * One step of the tree of places. The world and the continents only lead on; a place with few stations, or with no
 * finer place in it, lists them; a large one lists its finer places and leads to all its stations by one line, since
 * of many a station no more is known than its country.
 */
export function placeMenu(request: BrowseRequest, id: number): OpmlDocument {
  const { snapshot } = request;
  const region = findRegion(snapshot, id);
  if (!region && id !== ROOT)
    throw new Fault(400, 'request.idInvalid', 'Invalid ID for browse: no such place has stations');
  const list: StationList = {
    params: [['id', guideId('r', id)]],
    name: region?.name ?? 'By Location',
    presentation: 'byPlace',
    page: (page) => stationsOfRegion(snapshot, id, page),
  };
  if (request.flat || request.offset > 0) return stationPage(request, list);
  const title = id === ROOT ? 'By Location' : list.name;
  return { title, outlines: orNothing(region ? placeOutlines(request, region, list) : []) };
}

function placeOutlines(request: BrowseRequest, region: DirectoryRegion, list: StationList): Outline[] {
  const inside = listRegionsOf(request.snapshot, region.id, request.stations).map((child) =>
    regionLink(request, child),
  );
  if (region.kind === 'root' || region.kind === 'continent') return inside;
  if (inside.length === 0 || region.stationCount <= request.limit)
    return [...stationGroup(request, list), ...inside];
  const all = linkOutline('Most Popular', pageTarget(request, list, 0), { key: 'popular' });
  return [groupOutline('All Stations', 'pivot', [all]), ...inside];
}

const regionLink = (request: BrowseRequest, { id, name }: DirectoryRegion): Outline =>
  linkOutline(name, itemTarget(request, 'r', id), { guideId: guideId('r', id) });
