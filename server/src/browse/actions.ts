import type { Queryable } from '../db/pool.ts';
import type { Aliases } from '../directory/aliases.ts';
import { findByAnyId } from '../directory/by-any-id.ts';
import { findStation } from '../directory/by-id.ts';
import type { DirectoryStation } from '../directory/snapshot.ts';
import type { MemberDoors } from '../http/acting-member.ts';
import type { Action, Answer, Call } from '../http/endpoint.ts';
import type { Coordinate } from '../lib/geo.ts';
import { numberOf } from '../lib/guide-id.ts';
import { whenThere } from './at-hand.ts';
import { BrowseById } from './by-id.ts';
import { NEWS_CATEGORY } from './categories.ts';
import { NamedAccounts, type PlaceOfAddress, placeOf } from './caller-place.ts';
import { unknownId } from './faults.ts';
import { indexMenu } from './index-menu.ts';
import { languageList, languageMenu, languageShows } from './language-menu.ts';
import { localMenu } from './local-menu.ts';
import { NewestTopics } from './newest-topics-menu.ts';
import { Playlists } from './playlist-menu.ts';
import { podcastMenu } from './podcast-menu.ts';
import { presetMenu } from './preset-menu.ts';
import { PURE_BY_CLASSIFIER, keptMenu } from './pure-menus.ts';
import { type BrowseRequest, type RequestSources, readRequest } from './request.ts';
import { Schedules } from './schedule-menu.ts';
import { showQuery } from './show-list.ts';
import { ShowMenus } from './show-menu.ts';
import { ShowPages } from './show-pages.ts';

export interface BrowseNeeds extends RequestSources {
  db: Queryable;
  aliases: Pick<Aliases, 'find'>;
  /** Where an address is, as far as that is known. */
  placeOfAddress?: PlaceOfAddress | undefined;
  /** Where a caller stands whose address says nothing, as every radio's in a house. */
  homePlace?: Coordinate | undefined;
  /** What can be heard of a show: Tune's, which some programs ask Browse for. */
  toHear?: Action | undefined;
  /** Undefined where the operator has set up no accounts of devices; presets are then read by name alone. */
  doors?: MemberDoors | undefined;
}

const index: Action = (call) => indexAnswer(call, false);

/** The menus by classifier; without one, by id; without either, the index. */
export function browseActions(needs: BrowseNeeds): Map<string, Action> {
  const { directory, db, aliases, placeOfAddress, homePlace, doors, toHear } = needs;
  const accounts = new NamedAccounts(db);
  const places = { accounts, placeOfAddress, homePlace };
  const showPages = new ShowPages(db, directory);
  const showMenus = new ShowMenus(db, showPages);
  const schedules = new Schedules(db, accounts, places);
  const playlists = new Playlists(db, accounts);
  const newestTopics = new NewestTopics(db);
  const byId = new BrowseById({ ...needs, showPages, showMenus, newestTopics, places });
  const requestOf = (call: Call): BrowseRequest => readRequest(call, needs);
  const presets: Action = (call) => presetMenu(requestOf(call), call, { db, doors });
  /** A folder is somebody's, and found among theirs. */
  const byIdOrFolder: Action = (call) =>
    numberOf('f', call.params.text('id') ?? '') === undefined ? byId.menu(call) : presets(call);
  const pure = [...PURE_BY_CLASSIFIER].map(([c, make]): [string, Action] => [
    c,
    (call) => keptMenu(c, requestOf(call), make),
  ]);
  return new Map<string, Action>([
    ...pure,
    ['', (call) => (call.params.text('id') === undefined ? index(call) : byIdOrFolder(call))],
    ['index', index],
    ['news', (call) => byId.menu(call, NEWS_CATEGORY)],
    ...(toHear ? [['pbrowse', toHear] as const] : []),
    [
      'local',
      (call) => whenThere(placeOf(call.caller, places), (place) => localMenu(requestOf(call), place)),
    ],
    ['lang', (call) => openLanguage(requestOf(call), showPages)],
    ['podcast', async (call) => podcastMenu(requestOf(call), await showPages.genreIds(call.caller.formats))],
    ['presets', presets],
    ['schedule', async (call) => schedules.menu(call, await getStation(call, needs))],
    ['playlist', async (call) => playlists.menu(call, await getStation(call, needs))],
    ['topics', (call) => openTopics(call, requestOf(call), aliases, showMenus)],
  ]);
}

/** The first menu; the same for all callers of a language but for who is named. */
export function indexAnswer(call: Call, isOldPage: boolean): Answer {
  const { words, username, serial } = call.caller;
  const isNamed = username !== undefined || serial !== undefined;
  const ownPresets = isOldPage && call.device.profile.ownPresets;
  return {
    menu: `index ${words.language} ${isNamed} ${isOldPage} ${ownPresets}`,
    document: () => indexMenu({ words, isNamed, hasSearch: isOldPage, ownPresets }),
  };
}

/** In one language there are shows beside the stations. */
function openLanguage(request: BrowseRequest, showPages: ShowPages): Answer | Promise<Answer> {
  const { filter, offset, pivot } = request;
  if (filter.languageId === undefined)
    return whenThere(showPages.languageIdsAtHand(request.stations.formats), (ids = []) =>
      keptMenu(`lang ${ids.join()}`, request, (asked) => languageList(asked, ids)),
    );
  const query = showQuery(request, undefined);
  if (filter.kind === 'p') return showPages.get(query).then((page) => languageShows(request, page));
  if (filter.kind === 's' || offset > 0 || pivot) return keptMenu('lang', request, languageMenu);
  return whenThere(showPages.atHand(query), (shows) => keptMenu('lang', { ...request, shows }, languageMenu));
}

async function getStation({ params }: Call, { directory, aliases }: BrowseNeeds): Promise<DirectoryStation> {
  const snapshot = directory.current();
  const station = await findByAnyId(params.text('id') ?? '', aliases, ({ letter, number }) =>
    letter === 's' ? findStation(snapshot, number) : undefined,
  );
  if (!station) throw unknownId('there is no such station; give an s and its number');
  return station;
}

async function openTopics(
  { params }: Call,
  request: BrowseRequest,
  aliases: Pick<Aliases, 'find'>,
  showMenus: ShowMenus,
): Promise<Answer> {
  const after = params.optional('after', (text) => numberOf('t', text));
  const menu = await findByAnyId(params.text('id') ?? '', aliases, ({ letter, number }) =>
    letter === 'p' ? showMenus.topics(request, number, after) : undefined,
  );
  if (!menu) throw unknownId('there is no such show; give a p and its number');
  return menu;
}
