import { hasStations } from '../../../core/directory/groups/select-stations.ts';
import { findRegion, listRegionsOf } from '../../../core/directory/lookup/lookups.ts';
import type { DirectoryRegion } from '../../../core/directory/snapshot/snapshot.ts';
import type { OpmlDocument, Outline } from '../../../formats/opml/document.ts';
import { groupOutline, linkOutline } from '../../../formats/opml/outlines.ts';
import { guideId } from '../../../lib/guide-id.ts';
import { byText, regionLink, regionName } from './item-links.ts';
import { byGenre, findByName, genreLinks, mostPopular, type PivotedList, pivotMenu } from './pivots.ts';
import { type BrowseRequest, filterBelow } from './request.ts';
import { listOf, orNothing, stationGroup, stationPage } from './station-list.ts';
import { stationTest } from './station-test.ts';

const ROOT = 0;

/**
 * One level of the tree of places. The world and the continents only link on; a place with few stations, or without
 * smaller places, lists its stations; a large one lists its smaller places and links to all its stations, since for
 * many stations only the country is known.
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

/** A country by its id in lists of countries: the menu of its region, even if that has no stations yet. */
export function countryMenu(request: BrowseRequest, id: number): OpmlDocument {
  const { snapshot, words } = request;
  const country = snapshot.countryById.get(id);
  if (country && findRegion(snapshot, country.regionId)) return placeMenu(request, country.regionId);
  return {
    title: country && words.countryName(country.code, country.name),
    outlines: orNothing(request, []),
  };
}

/** Stations without a place belong to no region, not even to the world. */
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

/** A single genre is not worth a choice. */
function genreGroup(request: BrowseRequest, list: PivotedList): Outline[] {
  const links = genreLinks(request, list);
  return links.length > 1 ? [groupOutline(request.words.text('browse.byGenre'), 'pivotGenre', links)] : [];
}

/** A link to stations without a known place, which no other menu reaches. */
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
