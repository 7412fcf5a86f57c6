import type {
  DirectoryAffiliate,
  DirectoryGenre,
  DirectoryLanguage,
  DirectoryRegion,
  StationGroup,
} from '../../../core/directory/snapshot/snapshot.ts';
import { keptOutline, type Outline, type Target } from '../../../formats/opml/document.ts';
import { linkOutline } from '../../../formats/opml/outlines.ts';
import { guideId, type GuideLetter } from '../../../lib/guide-id.ts';
import { NO_FILTER } from './filter.ts';
import { type BrowseRequest, filterBelow } from './request.ts';

/** The menu of an item. A place filter is carried over to genres, and a genre filter to places. */
export function itemTarget(request: BrowseRequest, letter: GuideLetter, id: number): Target {
  const { genreId, regionId } = request.filter;
  const kept =
    letter === 'r' && genreId !== undefined
      ? { genreId }
      : letter === 'g' && regionId !== undefined
        ? { regionId }
        : undefined;
  const params = [['id', guideId(letter, id)]] as const;
  return { path: '/Browse.ashx', params, filter: filterBelow(request, kept) };
}

export const genreName = ({ words }: BrowseRequest, { slug, name }: DirectoryGenre): string =>
  words.genreName(slug, name);

export const regionName = ({ words }: BrowseRequest, { code, name }: DirectoryRegion): string =>
  words.regionName(code, name);

export const languageName = ({ words }: BrowseRequest, { code, name }: DirectoryLanguage): string =>
  words.languageName(code, name);

export const genreLink = (request: BrowseRequest, genre: DirectoryGenre): Outline =>
  groupLink(request, 'g', genre, genreName);

export const regionLink = (request: BrowseRequest, region: DirectoryRegion): Outline =>
  groupLink(request, 'r', region, regionName);

export const affiliateLink = (request: BrowseRequest, affiliate: DirectoryAffiliate): Outline =>
  groupLink(request, 'a', affiliate, (_request, { name }) => name);

/** By language. Links to genres and places occur in most menus; those without a filter are created once. */
const kept = new WeakMap<StationGroup, Map<string, Outline>>();

function groupLink<G extends StationGroup>(
  request: BrowseRequest,
  letter: GuideLetter,
  group: G,
  nameOf: (request: BrowseRequest, group: G) => string,
): Outline {
  const { filter, words } = request;
  let links = kept.get(group);
  if (!links) kept.set(group, (links = new Map()));
  const known = filter === NO_FILTER ? links.get(words.language) : undefined;
  if (known) return known;
  const id = guideId(letter, group.id);
  const link = linkOutline(nameOf(request, group), itemTarget(request, letter, group.id), { guideId: id });
  if (filter !== NO_FILTER) return link;
  const toKeep = keptOutline(link);
  links.set(words.language, toKeep);
  return toKeep;
}

/** Sorted by the caller's language; the directory's own lists are sorted for English. */
export const byText = ({ words }: BrowseRequest, outlines: Outline[]): Outline[] =>
  outlines.toSorted((a, b) => words.compareNames(a.text, b.text));
