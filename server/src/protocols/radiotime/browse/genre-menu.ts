import {
  findGenre,
  listGenresOf,
  listRelatedGenres,
  listTopGenres,
} from '../../../core/directory/lookup/lookups.ts';
import { firstOfFamilies } from '../../../core/directory/groups/once-per-family.ts';
import { near } from '../../../core/directory/nearby/near.ts';
import type { DirectoryGenre } from '../../../core/directory/snapshot/snapshot.ts';
import { keptOutline, type OpmlDocument, type Outline } from '../../../formats/opml/document.ts';
import { groupOutline, linkOutline } from '../../../formats/opml/outlines.ts';
import { guideId } from '../../../lib/guide-id.ts';
import { NO_FILTER } from './filter.ts';
import { genreLink, genreName, itemTarget } from './item-links.ts';
import { byLocation, findByName, mostPopular, type PivotedList, pivotMenu } from './pivots.ts';
import { type BrowseRequest, unknownId } from './request.ts';
import { genresToList, showGroup } from './show-list.ts';
import { linesOf, listOf, orNothing, stationGroup, stationPage } from './station-list.ts';

export type TopGenre = 'music' | 'talk' | 'sports';

/** The genres under Music, Talk or Sports, and a link to all stations: some belong to the root genre only. */
export function topGenreMenu(request: BrowseRequest, slug: TopGenre): OpmlDocument {
  const { snapshot, stations, words } = request;
  const title = words.text(`browse.${slug}`);
  const roots = genresToList(request, snapshot.topGenres, listTopGenres(snapshot, stations));
  const root = roots.find((genre) => genre.slug === slug);
  if (!root) return { title, outlines: orNothing(request, []) };
  const children = genresToList(request, root.children, listGenresOf(snapshot, root.id, stations));
  const finer = children.map((genre) => genreLink(request, genre));
  const all = linkOutline(
    words.text('browse.allOf', { name: genreName(request, root) }),
    itemTarget(request, 'g', root.id),
    { guideId: guideId('g', root.id) },
  );
  return { title, outlines: [...finer, all] };
}

export function genreMenu(request: BrowseRequest, id: number): OpmlDocument {
  const genre = findGenre(request.snapshot, id);
  if (!genre) throw unknownId('there is no such genre');
  const group = { genreId: id };
  const name = genreName(request, genre);
  const params = [['id', guideId('g', id)]] as const;
  // Who looks for a name wants all that have it.
  const families = request.filter.initial === undefined ? { ...request.stations, ...group } : undefined;
  const list: PivotedList = {
    ...listOf(request, group, { params, name, presentation: 'byGenre', families }),
    group,
  };
  const pivoted = pivotMenu(request, list);
  if (pivoted) return pivoted;
  if (request.filter.kind === 's' || request.offset > 0) return stationPage(request, list);
  const stations = stationGroup(request, list);
  const groups = [
    ...localGroup(request, genre),
    ...stations,
    ...showGroup(request, { params, name }),
    ...relatedGroup(request, genre, list, endsHere(stations)),
  ];
  return { title: name, outlines: orNothing(request, groups) };
}

const endsHere = ([group]: readonly Outline[]): boolean => group?.children?.at(-1)?.key !== 'nextStations';

/** The range of a radio transmitter. */
const LOCAL_KM = 100;
/** A small selection; the genre's own list follows. */
const MAX_LOCAL = 10;

function localGroup(request: BrowseRequest, { id }: DirectoryGenre): Outline[] {
  const { snapshot, stations, place, words } = request;
  if (!place) return [];
  const wanted = { ...stations, genreId: id, offset: 0, limit: 2 * MAX_LOCAL, withinKm: LOCAL_KM };
  const ranks = firstOfFamilies(snapshot, near(snapshot, place, wanted).ranks, 'edition', MAX_LOCAL);
  if (ranks.length === 0) return [];
  const lines = linesOf(request, ranks, 'byGenre');
  return [groupOutline(words.text('browse.localStations', { count: ranks.length }), 'local', lines)];
}

const related = new WeakMap<DirectoryGenre, Map<string, Outline[]>>();
/** Enough for the format and language combinations of real callers; beyond that they are rebuilt. */
const MAX_KEPT = 100;

/** Identical on every unfiltered page of a genre, and a third of its lines, so it is cached. */
function relatedGroup(
  request: BrowseRequest,
  genre: DirectoryGenre,
  list: PivotedList,
  isWhole: boolean,
): Outline[] {
  const { filter, stations, words } = request;
  if (filter !== NO_FILTER) return makeRelated(request, genre, list, isWhole);
  let kept = related.get(genre);
  if (!kept) related.set(genre, (kept = new Map()));
  const key = `${stations.formats} ${words.language} ${isWhole}`;
  let groups = kept.get(key);
  if (!groups) {
    groups = makeRelated(request, genre, list, isWhole).map(keptOutline);
    if (kept.size < MAX_KEPT) kept.set(key, groups);
  }
  return groups;
}

/** Links to other orderings of a long list, then to sub-genres; a genre without any links to its siblings. */
function makeRelated(
  request: BrowseRequest,
  genre: DirectoryGenre,
  list: PivotedList,
  isWhole: boolean,
): Outline[] {
  const { snapshot, stations, words } = request;
  const finer = listGenresOf(snapshot, genre.id, stations);
  const others = finer.length > 0 ? finer : listRelatedGenres(snapshot, genre.id, stations);
  const pivots = isWhole
    ? []
    : [mostPopular(request, list), byLocation(request, list), findByName(request, list)];
  const links = [...pivots, ...others.map((other) => genreLink(request, other))];
  if (links.length === 0) return [];
  return [groupOutline(words.text('browse.explore', { name: list.name }), 'related', links)];
}
