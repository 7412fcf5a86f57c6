import { near } from '../directory/near.ts';
import type { Coordinate } from '../lib/geo.ts';
import type { OpmlDocument } from '../opml/document.ts';
import { groupOutline, stationLine } from '../opml/outlines.ts';
import { placeMenu } from './place-menu.ts';
import type { BrowseRequest } from './request.ts';
import { orNothing } from './station-list.ts';

/** The stations around a place, nearest first; for a caller who stands nowhere, the places to choose from. */
export function localMenu(request: BrowseRequest, place: Coordinate | undefined): OpmlDocument {
  if (!place) return { ...placeMenu(request, 0), title: 'Local Radio' };
  const { snapshot, stations, limit } = request;
  const found = near(snapshot, place, { ...stations, offset: 0, limit });
  const outlines = found.stations.map((station) => stationLine(station, 'byPlace'));
  const groups = outlines.length > 0 ? [groupOutline('Stations', 'stations', outlines)] : [];
  return { title: 'Local Radio', outlines: orNothing(groups) };
}
