import { findRegion, findCountryRegion, pathToRegion } from '../directory/by-place.ts';
import { near } from '../directory/near.ts';
import { StationPage } from '../directory/select-stations.ts';
import type { DirectoryRegion } from '../directory/snapshot.ts';
import type { Coordinate } from '../lib/geo.ts';
import { guideId } from '../lib/guide-id.ts';
import type { OpmlDocument, Outline } from '../opml/document.ts';
import { keptOutline } from '../opml/kept-line.ts';
import { groupOutline, linkOutline } from '../opml/outlines.ts';
import type { Words } from '../words/words.ts';
import type { CallerPlace } from './caller-place.ts';
import { NO_FILTER } from './filter.ts';
import { itemTarget, regionName } from './item-links.ts';
import { orNothing } from './nothing.ts';
import { placeMenu } from './place-menu.ts';
import { type BrowseRequest, STATIONS_PER_GROUP } from './request.ts';
import { type StationList, pageOutlines, stationPage } from './station-list.ts';

const ROOT = 0;
/** Clients drop the offset here and would show the first page for the second, so one group holds all of it. */
const STATIONS_AT_ONCE = 200;

/**
 * The stations around a caller, nearest first. Of whom no more is known than a country or a state gets the menu of
 * that place with its finer places, and who stands nowhere the places to choose from.
 */
export function localMenu(request: BrowseRequest, place: CallerPlace | undefined): OpmlDocument {
  const title = request.words.text('browse.local');
  if (place?.coordinate) return around(request, place.coordinate, title);
  const region = place && coarseRegion(request, place);
  return { ...placeMenu(request, region?.id ?? ROOT), title };
}

const coarseRegion = (
  { snapshot }: BrowseRequest,
  { regionId, countryCode }: CallerPlace,
): DirectoryRegion | undefined =>
  (regionId === undefined ? undefined : findRegion(snapshot, regionId)) ??
  (countryCode === undefined ? undefined : findCountryRegion(snapshot, countryCode));

/** Nothing but what the caller can play narrows it down: clients send along filters of the menu they come from. */
function around(caller: BrowseRequest, place: Coordinate, name: string): OpmlDocument {
  const { snapshot, stations } = caller;
  const isPaged = caller.stationsPerGroup !== STATIONS_PER_GROUP;
  const request = {
    ...caller,
    filter: NO_FILTER,
    stations: { formats: stations.formats },
    stationsPerGroup: isPaged ? caller.stationsPerGroup : STATIONS_AT_ONCE,
  };
  const list: StationList = {
    params: [['c', 'local']],
    name,
    presentation: 'byPlace',
    page: (page) => {
      const found = near(snapshot, place, page);
      return isPaged ? found : new StationPage(snapshot, found.ranks, false);
    },
  };
  if (request.offset > 0) return stationPage(request, list);
  const page = list.page({ ...request.stations, offset: 0, limit: request.stationsPerGroup });
  const lines = pageOutlines(request, list, page);
  const groups =
    lines.length > 0 ? [groupOutline(request.words.text('browse.stations'), 'stations', lines)] : [];
  return { title: name, outlines: orNothing(request, [...groups, ...countryLink(request, page)]) };
}

const links = new WeakMap<DirectoryRegion, Map<Words, Outline>>();

/** The whole country, which is the one of the nearest station that has one: the same line for all who stand in it. */
function countryLink(request: BrowseRequest, { ranks }: StationPage): Outline[] {
  const { snapshot, words } = request;
  const placed = ranks.find((rank) => snapshot.stations[rank]?.regionId !== undefined);
  const nearest = placed === undefined ? undefined : snapshot.stations[placed];
  const country = pathToRegion(snapshot, nearest?.regionId ?? ROOT).find(({ kind }) => kind === 'country');
  if (!country) return [];
  let kept = links.get(country);
  if (!kept) links.set(country, (kept = new Map()));
  let link = kept.get(words);
  if (!link) kept.set(words, (link = keptOutline(linkTo(request, country))));
  return [link];
}

function linkTo(request: BrowseRequest, country: DirectoryRegion): Outline {
  const text = request.words.text('browse.localCountry', { country: regionName(request, country) });
  const names = { key: 'localCountry', guideId: guideId('r', country.id) };
  return linkOutline(text, itemTarget(request, 'r', country.id), names);
}
