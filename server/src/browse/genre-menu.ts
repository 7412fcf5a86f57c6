import {
  findGenre,
  listGenresOf,
  listRelatedGenres,
  listTopGenres,
  stationsOfGenre,
} from '../directory/by-genre.ts';
import type { DirectoryGenre } from '../directory/snapshot.ts';
import { Fault } from '../lib/fault.ts';
import { guideId } from '../lib/guide-id.ts';
import type { OpmlDocument, Outline } from '../opml/document.ts';
import { groupOutline, linkOutline } from '../opml/outlines.ts';
import type { BrowseRequest } from './request.ts';
import { itemTarget, orNothing, stationGroup, stationPage, type StationList } from './station-list.ts';

/** The genres under Music, Talk or Sports, and the stations that are of the root and nothing finer. */
export function topGenreMenu(request: BrowseRequest, slug: string): OpmlDocument {
  const { snapshot, stations } = request;
  const root = listTopGenres(snapshot, stations).find((genre) => genre.slug === slug);
  const children = root ? listGenresOf(snapshot, root.id, stations) : [];
  const variety = root
    ? [linkOutline(`All ${root.name}`, itemTarget(request, 'g', root.id), names(root))]
    : [];
  const links = [...children.map((genre) => genreLink(request, genre)), ...variety];
  return { title: root?.name ?? titleOf(slug), outlines: orNothing(links) };
}

export function genreMenu(request: BrowseRequest, id: number): OpmlDocument {
  const genre = findGenre(request.snapshot, id);
  if (!genre) throw new Fault(400, 'request.idInvalid', 'Invalid ID for browse: no such genre');
  const list: StationList = {
    params: [['id', guideId('g', id)]],
    name: genre.name,
    presentation: 'byGenre',
    page: (page) => stationsOfGenre(request.snapshot, id, page),
  };
  if (request.flat || request.offset > 0) return stationPage(request, list);
  return {
    title: genre.name,
    outlines: orNothing([...stationGroup(request, list), ...related(request, genre)]),
  };
}

/** Finer genres first; a genre without any leads to its neighbours. */
function related(request: BrowseRequest, genre: DirectoryGenre): Outline[] {
  const { snapshot, stations } = request;
  const finer = listGenresOf(snapshot, genre.id, stations);
  const shown = finer.length > 0 ? finer : listRelatedGenres(snapshot, genre.id, stations);
  const links = shown.map((other) => genreLink(request, other));
  return links.length > 0 ? [groupOutline(`Explore ${genre.name}`, 'related', links)] : [];
}

const genreLink = (request: BrowseRequest, genre: DirectoryGenre): Outline =>
  linkOutline(genre.name, itemTarget(request, 'g', genre.id), names(genre));

const names = ({ id }: DirectoryGenre): { guideId: string } => ({ guideId: guideId('g', id) });

const titleOf = (slug: string): string => slug.charAt(0).toUpperCase() + slug.slice(1);
