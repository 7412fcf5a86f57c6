import type { Directory } from '../directory/directory.ts';
import type { Action, Call, Endpoint } from '../http/endpoint.ts';
import { Fault } from '../lib/fault.ts';
import { parseGuideId, type GuideLetter } from '../lib/guide-id.ts';
import type { Coordinate } from '../lib/geo.ts';
import type { OpmlDocument } from '../opml/document.ts';
import { genreMenu, topGenreMenu } from './genre-menu.ts';
import { indexMenu } from './index-menu.ts';
import { languageMenu } from './language-menu.ts';
import { localMenu } from './local-menu.ts';
import { placeMenu } from './place-menu.ts';
import { podcastMenu } from './podcast-menu.ts';
import { readRequest, type BrowseRequest } from './request.ts';

export interface BrowseNeeds {
  directory: Pick<Directory, 'current'>;
  /** Where a caller stands whose address says nothing, as every radio's in a house. */
  homePlace?: Coordinate | undefined;
  /** Where a listener without an account is sent to make one; the index links it. */
  registrationUrl?: string | undefined;
}

type BrowseMenu = (request: BrowseRequest, id: number) => OpmlDocument;

/** Menus by the letter of the id they are asked for. */
const BY_LETTER: Partial<Record<GuideLetter, BrowseMenu>> = { r: placeMenu, g: genreMenu };

/** Everything that is navigated: a menu by classifier (`c=music`) or by id (`id=g12`). */
export function browse({ directory, homePlace, registrationUrl }: BrowseNeeds): Endpoint {
  const menu =
    (make: (request: BrowseRequest, call: Call) => OpmlDocument): Action =>
    (call) =>
      make(readRequest(call, directory.current()), call);
  const index = menu((_request, call) => indexMenu(call, registrationUrl));
  const byId = menu((request, call) => menuById(request, call.params.text('id') ?? ''));
  return {
    paths: ['/Browse.ashx', '/', '/Index.aspx'],
    actions: new Map<string, Action>([
      ['', (call) => (call.params.text('id') === undefined ? index(call) : byId(call))],
      ['index', index],
      ['local', menu((request, call) => localMenu(request, call.caller.latlon ?? homePlace))],
      ['music', menu((request) => topGenreMenu(request, 'music'))],
      ['talk', menu((request) => topGenreMenu(request, 'talk'))],
      ['sports', menu((request) => topGenreMenu(request, 'sports'))],
      ['world', menu((request) => placeMenu(request, 0))],
      ['r0', menu((request) => placeMenu(request, 0))],
      ['lang', menu(languageMenu)],
      ['podcast', menu(podcastMenu)],
    ]),
    fallback: () => unknownClassifier,
  };
}

function menuById(request: BrowseRequest, text: string): OpmlDocument {
  const id = parseGuideId(text);
  const make = id && BY_LETTER[id.letter];
  if (!make)
    throw new Fault(400, 'request.idInvalid', 'Invalid ID for browse: give a place (r…) or a genre (g…)');
  return make(request, id.number);
}

const unknownClassifier: Action = () => {
  throw new Fault(400, undefined, 'Invalid root category');
};
