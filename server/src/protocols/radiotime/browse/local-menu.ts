import { StationPage } from '../../../core/directory/groups/select-stations.ts';
import { findCountryRegion, findRegion } from '../../../core/directory/lookup/lookups.ts';
import { type ListenerPlace, localStations } from '../../../core/directory/local/local-stations.ts';
import type { DirectoryRegion } from '../../../core/directory/snapshot/snapshot.ts';
import type { Words } from '../../../core/i18n/words.ts';
import { type CallerPlace, countryOf } from '../../../core/places/caller-places.ts';
import { keptOutline, type OpmlDocument, type Outline } from '../../../formats/opml/document.ts';
import { groupOutline, linkOutline } from '../../../formats/opml/outlines.ts';
import { guideId } from '../../../lib/guide-id.ts';
import { NO_FILTER } from './filter.ts';
import { itemTarget, regionName } from './item-links.ts';
import { placeMenu } from './place-menu.ts';
import { type BrowseRequest, STATIONS_PER_GROUP } from './request.ts';
import { orNothing, pageOutlines, type StationList, stationPage } from './station-list.ts';

const ROOT = 0;
/** Clients drop the offset here and would repeat the first page, so one group holds everything. */
const STATION_BATCH = 200;

/**
 * What is heard where the caller is. If only a country or state is known, its menu is shown; without any
 * position, the list of places.
 */
export function localMenu(request: BrowseRequest, place: CallerPlace | undefined): OpmlDocument {
  const title = request.words.text('browse.local');
  if (place?.coordinate)
    return around(
      request,
      { point: place.coordinate, countryCode: countryOf(place, request.snapshot) },
      title,
    );
  const region = place && coarseRegion(request, place);
  return { ...placeMenu(request, region?.id ?? ROOT), title };
}

const coarseRegion = (
  { snapshot }: BrowseRequest,
  { regionId, countryCode }: CallerPlace,
): DirectoryRegion | undefined =>
  (regionId === undefined ? undefined : findRegion(snapshot, regionId)) ??
  (countryCode === undefined ? undefined : findCountryRegion(snapshot, countryCode));

/** Ignores all filters but formats: clients send along filters of the menu they come from. */
function around(caller: BrowseRequest, place: ListenerPlace, name: string): OpmlDocument {
  const { snapshot, stations } = caller;
  const isPaged = caller.stationsPerGroup !== STATIONS_PER_GROUP;
  const request = {
    ...caller,
    filter: NO_FILTER,
    stations: { formats: stations.formats },
    stationsPerGroup: isPaged ? caller.stationsPerGroup : STATION_BATCH,
  };
  const list: StationList = {
    params: [['c', 'local']],
    name,
    presentation: 'byPlace',
    families: request.stations,
    page: (page) => {
      const found = localStations(snapshot, place, page);
      return isPaged ? found : new StationPage(snapshot, found.ranks, false);
    },
  };
  if (request.offset > 0) return stationPage(request, list);
  const page = list.page({ ...request.stations, offset: 0, limit: request.stationsPerGroup });
  const lines = pageOutlines(request, list, page);
  const groups =
    lines.length > 0 ? [groupOutline(request.words.text('menu.stations'), 'stations', lines)] : [];
  return { title: name, outlines: orNothing(request, [...groups, ...countryLink(request, place)]) };
}

const links = new WeakMap<DirectoryRegion, Map<Words, Outline>>();

function countryLink(request: BrowseRequest, { countryCode }: ListenerPlace): Outline[] {
  const { snapshot, words } = request;
  const country = countryCode === undefined ? undefined : findCountryRegion(snapshot, countryCode);
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
