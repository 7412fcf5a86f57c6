import { listTopGenres } from '../directory/by-genre.ts';
import { findLanguage, listSpokenLanguages, stationsOfLanguage } from '../directory/by-language.ts';
import type { DirectoryLanguage } from '../directory/snapshot.ts';
import { Fault } from '../lib/fault.ts';
import { guideId } from '../lib/guide-id.ts';
import type { OpmlDocument, Outline, Target } from '../opml/document.ts';
import { groupOutline, linkOutline } from '../opml/outlines.ts';
import type { BrowseRequest } from './request.ts';
import { itemTarget, orNothing, stationGroup, stationPage, type StationList } from './station-list.ts';

/** Without a filter the languages of the directory; with one, what there is to hear in that language. */
export function languageMenu(request: BrowseRequest): OpmlDocument {
  const { snapshot, languageId, stations } = request;
  if (languageId !== undefined) return oneLanguage(request, languageId);
  const links = listSpokenLanguages(snapshot, stations).map(languageLink);
  return { title: 'By Language', outlines: orNothing(links) };
}

function oneLanguage(request: BrowseRequest, id: number): OpmlDocument {
  const { snapshot } = request;
  const language = findLanguage(snapshot, id);
  if (!language) throw new Fault(400, 'request.idInvalid', 'Invalid language in filter');
  const list: StationList = {
    params: [['c', 'lang']],
    name: language.name,
    presentation: 'byGenre',
    page: (page) => stationsOfLanguage(snapshot, id, page),
  };
  if (request.flat || request.offset > 0) return stationPage(request, list);
  return {
    title: language.name,
    outlines: orNothing([...stationGroup(request, list), ...genres(request, language)]),
  };
}

function genres(request: BrowseRequest, { name }: DirectoryLanguage): Outline[] {
  const links = listTopGenres(request.snapshot, request.stations).map((genre) =>
    linkOutline(genre.name, itemTarget(request, 'g', genre.id), { guideId: guideId('g', genre.id) }),
  );
  return links.length > 0 ? [groupOutline(`Explore ${name}`, 'related', links)] : [];
}

function languageLink({ id, name }: DirectoryLanguage): Outline {
  const target: Target = { path: '/Browse.ashx', params: [['c', 'lang']], filter: guideId('l', id) };
  return linkOutline(name, target, { guideId: guideId('l', id) });
}
