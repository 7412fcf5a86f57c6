import { findLanguage, listSpokenLanguages, listTopGenres } from '../../../core/directory/lookup/lookups.ts';
import type { DirectoryLanguage } from '../../../core/directory/snapshot/snapshot.ts';
import type { OpmlDocument, Outline } from '../../../formats/opml/document.ts';
import { groupOutline, linkOutline } from '../../../formats/opml/outlines.ts';
import type { Fault } from '../../../lib/fault.ts';
import { guideId } from '../../../lib/guide-id.ts';
import { byText, genreLink, languageName } from './item-links.ts';
import { type PivotedList, pivotMenu } from './pivots.ts';
import { type BrowseRequest, filterBelow, unknownId } from './request.ts';
import { genresToList, showGroup, showPage } from './show-list.ts';
import type { ShowPage } from './show-pages.ts';
import { listOf, orNothing, stationGroup, stationPage } from './station-list.ts';

/** The languages of the directory: those of its stations and those of its shows. */
export function languageList(request: BrowseRequest, idsOfShows: readonly number[]): OpmlDocument {
  const { snapshot, stations, words } = request;
  const ofShows = idsOfShows.map((id) => findLanguage(snapshot, id)).filter((known) => known !== undefined);
  const languages = new Set([...listSpokenLanguages(snapshot, stations), ...ofShows]);
  const links = [...languages].map((language) => languageLink(request, language));
  return { title: words.text('browse.language'), outlines: orNothing(request, byText(request, links)) };
}

/** Stations and shows in the language of the filter. */
export const languageMenu = (request: BrowseRequest): OpmlDocument =>
  oneLanguage(request, request.filter.languageId ?? Number.NaN);

/** A page of shows in the language of the filter. */
export function languageShows(request: BrowseRequest, page: ShowPage): OpmlDocument {
  const language = findLanguage(request.snapshot, request.filter.languageId ?? Number.NaN);
  if (!language) throw unknownLanguage();
  return showPage(request, { params: PARAMS, name: languageName(request, language) }, page);
}

const PARAMS = [['c', 'lang']] as const;
const unknownLanguage = (): Fault => unknownId('there is no such language; c=lang lists all languages');

function oneLanguage(request: BrowseRequest, id: number): OpmlDocument {
  const language = findLanguage(request.snapshot, id);
  if (!language) throw unknownLanguage();
  const group = { languageId: id };
  const name = languageName(request, language);
  const list: PivotedList = {
    ...listOf(request, group, { params: PARAMS, name, presentation: 'byGenre' }),
    group,
  };
  const pivoted = pivotMenu(request, list);
  if (pivoted) return pivoted;
  if (request.filter.kind === 's' || request.offset > 0) return stationPage(request, list);
  const groups = [
    ...stationGroup(request, list),
    ...showGroup(request, { params: PARAMS, name }),
    ...genres(request, name),
  ];
  return { title: name, outlines: orNothing(request, groups) };
}

function genres(request: BrowseRequest, name: string): Outline[] {
  const { snapshot, stations, words } = request;
  const roots = genresToList(request, snapshot.topGenres, listTopGenres(snapshot, stations));
  const links = roots.map((genre) => genreLink(request, genre));
  return links.length > 0 ? [groupOutline(words.text('browse.explore', { name }), 'related', links)] : [];
}

function languageLink(request: BrowseRequest, language: DirectoryLanguage): Outline {
  const target = {
    path: '/Browse.ashx',
    params: PARAMS,
    filter: filterBelow(request, { languageId: language.id }),
  };
  return linkOutline(languageName(request, language), target, { guideId: guideId('l', language.id) });
}
