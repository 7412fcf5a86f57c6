import { findRegion, listRegionsOf } from '../directory/by-place.ts';
import { hasStations } from '../directory/select-stations.ts';
import type { DirectoryRegion } from '../directory/snapshot.ts';
import { guideId } from '../lib/guide-id.ts';
import type { OpmlDocument, Outline } from '../opml/document.ts';
import { groupOutline, linkOutline } from '../opml/outlines.ts';
import { byText, regionLink, regionName } from './item-links.ts';
import { orNothing } from './nothing.ts';
import { type PivotedList, byGenre, findByName, genreLinks, mostPopular, pivotMenu } from './pivots.ts';
import { type BrowseRequest, filterBelow } from './request.ts';
import { listOf, stationGroup, stationPage } from './station-list.ts';
import { stationTest } from './station-test.ts';

const ROOT = 0;

/**
 * One step of the tree of places. The world and the continents
 * only lead on; a place with few stations, or with no finer place in it, lists them; a large one lists its finer places
 * and leads to all its stations, since of many a station no more is known than its country.
 */
export function placeMenu(request: BrowseRequest, id: number): OpmlDocument {
  const region = findRegion(request.snapshot, id);
  const list = placeList(request, id, region);
  if (id === ROOT && request.filter.unplaced) return stationPage(request, list);
  const pivoted = pivotMenu(request, list);
  if (pivoted) return pivoted;
  if (request.filter.kind === 's' || request.offset > 0) return stationPage(request, list);
  const outlines = region ? placeOutlines(request, region, list) : [];
  return { title: list.name, outlines: orNothing(request, outlines) };
}

/** A country as lists of countries name it: the menu of its region, also where that has no stations yet. */
export function countryMenu(request: BrowseRequest, id: number): OpmlDocument {
  const { snapshot, words } = request;
  const country = snapshot.countryById.get(id);
  if (country && findRegion(snapshot, country.regionId)) return placeMenu(request, country.regionId);
  return {
    title: country && words.countryName(country.code, country.name),
    outlines: orNothing(request, []),
  };
}

/** Stations that stand nowhere belong to no region, not even to the world. */
function placeList(request: BrowseRequest, id: number, region: DirectoryRegion | undefined): PivotedList {
  const { filter, words } = request;
  const group = { regionId: filter.unplaced ? undefined : id };
  const isRoot = id === ROOT || !region;
  const name = filter.unplaced
    ? words.text('browse.elsewhere')
    : isRoot
      ? words.text('browse.location')
      : regionName(request, region);
  const params = [['id', guideId('r', id)]] as const;
  const presentation = isRoot ? 'byGenre' : 'byPlace';
  return { ...listOf(request, group, { params, name, presentation }), group };
}

function placeOutlines(request: BrowseRequest, region: DirectoryRegion, list: PivotedList): Outline[] {
  const { snapshot, stations, stationsPerGroup, filter } = request;
  const links = listRegionsOf(snapshot, region.id, stations).map((child) => regionLink(request, child));
  const inside = byText(request, links);
  if (region.kind === 'root') return [...inside, ...elsewhere(request)];
  if (region.kind === 'continent') return inside;
  const isListed =
    filter.genreId !== undefined || inside.length === 0 || region.stationCount <= stationsPerGroup;
  if (!isListed) return [allStations(request, list), ...inside];
  const genres = inside.length === 0 && filter.genreId === undefined ? genreGroup(request, list) : [];
  return [...stationGroup(request, list), ...genres, ...inside];
}

const allStations = (request: BrowseRequest, list: PivotedList): Outline =>
  groupOutline(request.words.text('browse.allStations'), 'pivot', [
    mostPopular(request, list),
    byGenre(request, list),
    findByName(request, list),
  ]);

/** With one genre there is nothing to choose. */
function genreGroup(request: BrowseRequest, list: PivotedList): Outline[] {
  const links = genreLinks(request, list);
  return links.length > 1 ? [groupOutline(request.words.text('browse.byGenre'), 'pivotGenre', links)] : [];
}

/** The way to stations whose place nobody knows; without it some could not be reached at all. */
function elsewhere(request: BrowseRequest): Outline[] {
  const { snapshot, stations, filter, words } = request;
  const where = stationTest({ ...filter, unplaced: true });
  if (!hasStations(snapshot, { ...stations, where })) return [];
  const { genreId } = filter;
  const target = {
    path: '/Browse.ashx',
    params: [['id', guideId('r', ROOT)]] as const,
    filter: filterBelow(request, { kind: 's', unplaced: true, genreId }),
  };
  return [linkOutline(words.text('browse.elsewhere'), target)];
}
