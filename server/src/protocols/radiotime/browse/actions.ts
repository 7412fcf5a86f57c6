import type { MemberAccess } from '../../../core/accounts/member-access.ts';
import { type Aliases, findByAnyId } from '../../../core/directory/lookup/by-any-id.ts';
import { findCountryRegion, findGenre, findStation } from '../../../core/directory/lookup/lookups.ts';
import {
  type DirectoryGenre,
  type DirectoryStation,
  lineageOf,
} from '../../../core/directory/snapshot/snapshot.ts';
import type { MessageKey } from '../../../core/i18n/en.ts';
import type { Words } from '../../../core/i18n/words.ts';
import { CallerPlaces, countryOf } from '../../../core/places/caller-places.ts';
import type { OpmlDocument, Outline, Target } from '../../../formats/opml/document.ts';
import { groupOutline, linkOutline, searchOutline } from '../../../formats/opml/outlines.ts';
import { guideId, numberOf } from '../../../lib/guide-id.ts';
import type { Queryable } from '../../../storage/db/pool.ts';
import type { Action, Answer, Call } from '../call/endpoint.ts';
import { mapSync } from '../../../storage/cache/cached.ts';
import { BrowseById } from './by-id.ts';
import { NEWS_CATEGORY } from './categories.ts';
import { genreName } from './item-links.ts';
import { languageList, languageMenu, languageShows } from './language-menu.ts';
import { localMenu } from './local-menu.ts';
import { NewestTopics } from './newest-topics-menu.ts';
import { Playlists } from './playlist-menu.ts';
import { presetMenu } from './preset-menu.ts';
import {
  chartMenu,
  CHARTS_BY_COUNTRY,
  GENRES_BY_CLASSIFIER,
  keptMenu,
  PURE_BY_CLASSIFIER,
  pureMenu,
} from './pure-menus.ts';
import { type BrowseRequest, filterBelow, readRequest, type RequestSources, unknownId } from './request.ts';
import { Schedules } from './schedule-menu.ts';
import { showQuery, withShowGenres } from './show-list.ts';
import { ShowMenus } from './show-menu.ts';
import { ShowPages } from './show-pages.ts';
import { orNothing } from './station-list.ts';

export interface BrowseDeps extends RequestSources {
  db: Queryable;
  /** For shows and topics, which may be seconds old; `db` unless told. */
  reads?: Queryable | undefined;
  aliases: Pick<Aliases, 'find'>;
  places?: CallerPlaces | undefined;
  /** Tune's menu of a show, which some programs request from Browse. */
  toHear?: Action | undefined;
  /** Undefined when the operator has not set up accounts; presets are then read by name alone. */
  members?: MemberAccess | undefined;
}

/** The caller's own guess; a country of the directory, so that nothing is kept for others. */
function countryGuess({ params }: Call, { snapshot }: BrowseRequest): string | undefined {
  const code = params.text('country')?.toUpperCase() ?? '';
  return /^[A-Z]{2}$/.test(code) && findCountryRegion(snapshot, code) ? code : undefined;
}

const index: Action = (call) => indexAnswer(call, false);

/** The menus by classifier; without one, by id; without either, the index. */
export function browseActions(deps: BrowseDeps): Map<string, Action> {
  const { directory, db, reads = db, aliases, places = new CallerPlaces(db), members, toHear } = deps;
  const showPages = new ShowPages(reads, directory);
  const showMenus = new ShowMenus(reads, showPages);
  const schedules = new Schedules(db, places);
  const playlists = new Playlists(db, places.accounts);
  const newestTopics = new NewestTopics(reads);
  const byId = new BrowseById({ ...deps, showPages, showMenus, newestTopics, places });
  const requestOf = (call: Call): BrowseRequest => readRequest(call, deps);
  const presets: Action = (call) => presetMenu(requestOf(call), call, { db, members });
  /** A folder is private: it is looked up among its owner's. */
  const byIdOrFolder: Action = (call) =>
    numberOf('f', call.params.text('id') ?? '') === undefined ? byId.menu(call) : presets(call);
  const pure = [...PURE_BY_CLASSIFIER].map(([c, make]): [string, Action] => [
    c,
    (call) => pureMenu(c, requestOf(call), make),
  ]);
  const genres = [...GENRES_BY_CLASSIFIER].map(([c, make]): [string, Action] => [
    c,
    (call) => withShowGenres(requestOf(call), showPages, (request) => pureMenu(c, request, make)),
  ]);
  const charts = CHARTS_BY_COUNTRY.map((c): [string, Action] => [
    c,
    (call) =>
      mapSync(places.of(call.caller), (place) => {
        const request = requestOf(call);
        const known = countryOf(place, request.snapshot);
        const guess = known === undefined ? countryGuess(call, request) : undefined;
        return keptMenu(`${c} ${known ?? ''} ${guess ?? ''}`, request, (asked) =>
          chartMenu(asked, c, { known, guess }),
        );
      }),
  ]);
  return new Map<string, Action>([
    ...pure,
    ...genres,
    ...charts,
    ['', (call) => (call.params.text('id') === undefined ? index(call) : byIdOrFolder(call))],
    ['index', index],
    ['news', (call) => byId.menu(call, NEWS_CATEGORY)],
    ...(toHear ? [['pbrowse', toHear] as const] : []),
    ['local', (call) => mapSync(places.of(call.caller), (place) => localMenu(requestOf(call), place))],
    ['lang', (call) => openLanguage(requestOf(call), showPages)],
    ['podcast', (call) => podcastMenu(requestOf(call), showPages)],
    ['presets', presets],
    ['schedule', async (call) => schedules.menu(call, await getStation(call, deps))],
    ['playlist', async (call) => playlists.menu(call, await getStation(call, deps))],
    ['topics', (call) => openTopics(call, requestOf(call), aliases, showMenus)],
  ]);
}

/** The index; the same for all callers of a language, except for those who name themselves. */
export function indexAnswer(call: Call, isOldPage: boolean): Answer {
  const { words, isNamed } = call.caller;
  const ownPresets = isOldPage && call.device.profile.ownPresets;
  return {
    menu: `index ${words.language} ${isNamed} ${isOldPage} ${ownPresets}`,
    document: () => indexMenu({ words, isNamed, hasSearch: isOldPage, ownPresets }),
  };
}

/** A language has shows besides its stations. */
function openLanguage(request: BrowseRequest, showPages: ShowPages): Answer | Promise<Answer> {
  const { filter, offset, pivot } = request;
  if (filter.languageId === undefined)
    return mapSync(showPages.cachedLanguageIds(request.stations.formats), (ids = []) =>
      keptMenu(`lang ${ids.join()}`, request, (asked) => languageList(asked, ids)),
    );
  const query = showQuery(request, undefined);
  if (filter.kind === 'p') return showPages.get(query).then((page) => languageShows(request, page));
  if (filter.kind === 's' || offset > 0 || pivot) return keptMenu('lang', request, languageMenu);
  return withShowGenres(request, showPages, (asked) =>
    mapSync(showPages.cached(query), (shows) => keptMenu('lang', { ...asked, shows }, languageMenu)),
  );
}

async function getStation({ params }: Call, { directory, aliases }: BrowseDeps): Promise<DirectoryStation> {
  const snapshot = directory.current();
  const station = await findByAnyId(params.text('id') ?? '', aliases, ({ letter, number }) =>
    letter === 's' ? findStation(snapshot, number) : undefined,
  );
  if (!station) throw unknownId('there is no such station; give s and its number, such as s123');
  return station;
}

async function openTopics(
  { params }: Call,
  request: BrowseRequest,
  aliases: Pick<Aliases, 'find'>,
  showMenus: ShowMenus,
): Promise<Answer> {
  const after = params.optional('after', (text) => numberOf('t', text)) ?? topicIn(params.text('filter'));
  const menu = await findByAnyId(params.text('id') ?? '', aliases, ({ letter, number }) =>
    letter === 'p' ? showMenus.topics(request, number, after) : undefined,
  );
  if (!menu) throw unknownId('there is no such show; give p and its number, such as p123');
  return menu;
}

/** Where our links name the last topic of a page: Kodi's add-on keeps nothing else of them beside `id` and `c`. */
const topicIn = (filter = ''): number | undefined => numberOf('t', filter);

const byClassifier = (c: string): Target => ({ path: '/Browse.ashx', params: [['c', c]] });

/** Order and keys are the protocol's. "By Location" has a key too: real clients drop an entry without one, or crash. */
const ENTRIES: readonly (readonly [text: MessageKey, key: string, target: Target])[] = [
  ['browse.local', 'local', byClassifier('local')],
  ['browse.talk', 'talk', byClassifier('talk')],
  ['browse.sports', 'sports', byClassifier('sports')],
  ['browse.music', 'music', byClassifier('music')],
  ['browse.location', 'location', { path: '/Browse.ashx', params: [['id', 'r0']] }],
  ['browse.language', 'language', byClassifier('lang')],
  ['browse.podcasts', 'podcast', byClassifier('podcast')],
];

interface IndexRequest {
  words: Words;
  /** Whether the call names an account or a device. */
  isNamed: boolean;
  /** Whether to include a search line; only clients of Index.aspx can handle it. */
  hasSearch: boolean;
  /** Whether the client adds its own entry for presets, which would make ours a duplicate. */
  ownPresets: boolean;
}

/** The index, the same for every caller of a language except for its last line. */
function indexMenu(request: IndexRequest): OpmlDocument {
  const { words, isNamed, hasSearch, ownPresets } = request;
  const entries = ENTRIES.map(([text, key, target]) => linkOutline(words.text(text), target, { key }));
  const search = hasSearch ? [searchOutline(words.text('browse.search'), SEARCH)] : [];
  const last = ownPresets && !isNamed ? [] : [presets(request)];
  return { title: words.text('browse.index'), outlines: [...search, ...entries, ...last] };
}

const SEARCH: Target = { path: '/Search.ashx', params: [['query', '{QUERY}']] };
/** A page for browsers; programs that follow it get one line that tells where to register. */
const REGISTRATION: Target = { path: '/listen/register', params: [] };

/** Presets for callers who name themselves, otherwise registration. */
const presets = ({ words, isNamed }: IndexRequest): Outline =>
  linkOutline(words.text('browse.presets'), isNamed ? byClassifier('presets') : REGISTRATION, {
    key: 'presets',
  });

/** Genres that have shows, under Music, Talk and Sports. */
async function podcastMenu(request: BrowseRequest, showPages: ShowPages): Promise<OpmlDocument> {
  const { snapshot, words, stations, filter } = request;
  const genreIds = await showPages.genreIds(stations.formats, filter.languageId);
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

/** Shows that belong to the root genre itself are listed under the root's own name. */
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
