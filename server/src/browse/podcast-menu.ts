import { findGenre } from '../directory/by-genre.ts';
import type { DirectoryGenre } from '../directory/snapshot.ts';
import { lineageOf } from '../directory/tree.ts';
import { guideId } from '../lib/guide-id.ts';
import type { OpmlDocument, Outline } from '../opml/document.ts';
import { groupOutline, linkOutline } from '../opml/outlines.ts';
import { genreName } from './item-links.ts';
import { orNothing } from './nothing.ts';
import { type BrowseRequest, filterBelow } from './request.ts';

/** The genres of which there are shows, under Music, Talk and Sports. */
export function podcastMenu(request: BrowseRequest, genreIds: readonly number[]): OpmlDocument {
  const { snapshot, words } = request;
  const broad = new Set(
    genreIds
      .map((id) => findGenre(snapshot, id))
      .filter((genre) => genre !== undefined)
      .map((genre) => lineageOf(genre).at(-2) ?? genre),
  );
  const groups = snapshot.topGenres
    .map((top) => genreGroup(request, top, broad))
    .filter(({ children = [] }) => children.length > 0);
  return { title: words.text('browse.podcasts'), outlines: orNothing(request, groups) };
}

/** A show that is of the root and nothing finer is found under the root's own name. */
function genreGroup(
  request: BrowseRequest,
  top: DirectoryGenre,
  broad: ReadonlySet<DirectoryGenre>,
): Outline {
  const genres = [...top.children, top].filter((genre) => broad.has(genre));
  const links = genres.map((genre) =>
    linkOutline(
      genreName(request, genre),
      {
        path: '/Browse.ashx',
        params: [['id', guideId('g', genre.id)]],
        filter: filterBelow(request, { kind: 'p' }),
      },
      { guideId: guideId('g', genre.id) },
    ),
  );
  return groupOutline(genreName(request, top), top.slug, links);
}
