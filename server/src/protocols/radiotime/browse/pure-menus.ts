import { chartPage } from '../../../core/directory/groups/chart.ts';
import { type StationOrder, stationsInOrder } from '../../../core/directory/groups/select-stations.ts';
import type { StationFilter } from '../../../core/directory/groups/compiled-filter.ts';
import { affiliatesOfStation, findAffiliate, findStation } from '../../../core/directory/lookup/lookups.ts';
import { similarRanks } from '../../../core/directory/lookup/similar.ts';
import {
  type DirectoryStation,
  type Snapshot,
  snapshotName,
} from '../../../core/directory/snapshot/snapshot.ts';
import type { MessageKey } from '../../../core/i18n/en.ts';
import type { OpmlDocument, Outline } from '../../../formats/opml/document.ts';
import { groupOutline } from '../../../formats/opml/outlines.ts';
import { guideId, type GuideLetter, type ParsedGuideId } from '../../../lib/guide-id.ts';
import type { MenuAnswer } from '../call/endpoint.ts';
import { isTopCategory, topCategoryMenu } from './categories.ts';
import { genreMenu, topGenreMenu } from './genre-menu.ts';
import { affiliateLink, genreLink } from './item-links.ts';
import { type PivotedList, pivotMenu } from './pivots.ts';
import { countryMenu, placeMenu } from './place-menu.ts';
import { type BrowseRequest, type Detail, filterOfPage, keyOf, unknownId } from './request.ts';
import {
  linesOf,
  listOf,
  orNothing,
  stationGroup,
  type StationList,
  stationOutlines,
  stationPage,
} from './station-list.ts';

/** Menus that depend on nothing but their request, so they are cached for all identical requests. */
type ByClassifier = (request: BrowseRequest) => OpmlDocument;

const worldMenu: ByClassifier = (request) => placeMenu(request, 0);

/** They list genres; within a language also those that only shows have. */
export const GENRES_BY_CLASSIFIER: ReadonlyMap<string, ByClassifier> = new Map<string, ByClassifier>([
  ['music', (request) => topGenreMenu(request, 'music')],
  ['talk', (request) => topGenreMenu(request, 'talk')],
  ['sports', (request) => topGenreMenu(request, 'sports')],
]);

export const PURE_BY_CLASSIFIER: ReadonlyMap<string, ByClassifier> = new Map<string, ByClassifier>([
  ['world', worldMenu],
  ['r0', worldMenu],
  ['recent', (request) => chartMenu(request, 'recent')],
]);

interface ById {
  exists: (snapshot: Snapshot, id: number) => boolean;
  make: (request: BrowseRequest, id: number) => OpmlDocument;
}

const PURE_BY_LETTER: Partial<Record<GuideLetter, ById>> = {
  r: { exists: (snapshot, id) => id === 0 || snapshot.regionById.has(id), make: placeMenu },
  g: { exists: (snapshot, id) => snapshot.genreById.has(id), make: genreMenu },
  c: { exists: isTopCategory, make: topCategoryMenu },
  n: { exists: (snapshot, id) => snapshot.countryById.has(id), make: countryMenu },
  s: { exists: (snapshot, id) => findStation(snapshot, id) !== undefined, make: stationMenu },
  a: { exists: (snapshot, id) => snapshot.affiliateById.has(id), make: affiliateMenu },
  // We have no data on artists and songs; the menu says so.
  m: { exists: () => true, make: (request) => ({ outlines: orNothing(request, []) }) },
};

export const isBrowsable = (letter: GuideLetter): boolean => letter in PURE_BY_LETTER || letter === 'p';

/** Undefined when no such item exists. */
export function pureMenuOf(
  request: BrowseRequest,
  { letter, number }: ParsedGuideId,
): MenuAnswer | undefined {
  const menu = PURE_BY_LETTER[letter];
  if (!menu?.exists(request.snapshot, number)) return undefined;
  return pureMenu(`${letter}${number}`, request, (asked) => menu.make(asked, number));
}

/** The same, for all who send the same parameters and, where it shows what is near, are in the same place. */
export function pureMenu(name: string, request: BrowseRequest, make: ByClassifier): MenuAnswer {
  const { watch, more, place, shows, showGenreIds } = request;
  const isWatched = more !== undefined || (!place && !shows && !showGenreIds);
  return {
    ...keptMenu(name, request, make),
    watch: isWatched ? () => ({ isCurrent: watch(), ...more }) : undefined,
  };
}

/** A cacheable menu, keyed by everything it depends on. */
export function keptMenu(name: string, request: BrowseRequest, make: ByClassifier): MenuAnswer {
  const menu = `${name} ${snapshotName(request.snapshot)} ${keyOf(request)}`;
  return { menu, document: () => make(request) };
}

/** The stations of a network. */
function affiliateMenu(request: BrowseRequest, id: number): OpmlDocument {
  const affiliate = findAffiliate(request.snapshot, id);
  if (!affiliate) throw unknownId('there is no such network');
  const { name } = affiliate;
  const group = { affiliateId: id };
  const params = [['id', guideId('a', id)]] as const;
  const list: PivotedList = { ...listOf(request, group, { params, name, presentation: 'byGenre' }), group };
  const pivoted = pivotMenu(request, list);
  if (pivoted) return pivoted;
  if (request.filter.kind === 's' || request.offset > 0) return stationPage(request, list);
  return { title: name, outlines: orNothing(request, stationGroup(request, list)) };
}

interface DetailGroup {
  detail: Detail;
  key: string;
  text: MessageKey;
  list: (request: BrowseRequest, station: DirectoryStation) => Outline[];
}

/** In display order. */
const GROUPS: readonly DetailGroup[] = [
  { detail: 'recommendation', key: 'recommendations', text: 'menu.similarStations', list: similar },
  { detail: 'genre', key: 'genres', text: 'menu.genres', list: genres },
  { detail: 'affiliate', key: 'affiliates', text: 'menu.networks', list: affiliates },
];

/** What a station links to: similar stations, its genres and its networks, or only the requested groups. */
function stationMenu(request: BrowseRequest, id: number): OpmlDocument {
  const station = findStation(request.snapshot, id);
  if (!station) throw unknownId('there is no such station');
  const groups = GROUPS.filter(({ detail }) => request.details.includes(detail))
    .map(({ text, key, list }) => groupOutline(request.words.text(text), key, list(request, station)))
    .filter(({ children = [] }) => children.length > 0);
  return { title: station.name, outlines: orNothing(request, groups) };
}

function similar(request: BrowseRequest, station: DirectoryStation): Outline[] {
  const { snapshot, stations, stationsPerGroup: limit } = request;
  const ranks = similarRanks(snapshot, station, { formats: stations.formats, limit });
  return linesOf(request, ranks, 'byGenre');
}

function genres(request: BrowseRequest, { genreIds }: DirectoryStation): Outline[] {
  const known = genreIds.map((id) => request.snapshot.genreById.get(id));
  return known.filter((genre) => genre !== undefined).map((genre) => genreLink(request, genre));
}

function affiliates(request: BrowseRequest, station: DirectoryStation): Outline[] {
  return affiliatesOfStation(request.snapshot, station).map((affiliate) => affiliateLink(request, affiliate));
}

interface Chart {
  order: StationOrder;
  title?: 'browse.trending' | 'browse.recent';
  wants?: StationFilter['where'];
}

/** In percent: heard at nearly every check. */
const RELIABLE = 90;

/** Charts over the whole directory. Clients recognise "best" by its missing title. */
const CHARTS = {
  popular: { order: 'popularity', title: 'browse.trending' },
  trending: { order: 'clicks', title: 'browse.trending' },
  best: { order: 'votes', wants: ({ reliability }) => reliability >= RELIABLE },
  recent: { order: 'added', title: 'browse.recent' },
} satisfies Record<string, Chart>;

type ChartName = keyof typeof CHARTS;

/** Charts that begin with the caller's country. */
export const CHARTS_BY_COUNTRY = ['popular', 'trending', 'best'] as const satisfies ChartName[];

interface ChartCountry {
  /** By where the caller is. */
  known?: string | undefined;
  /** What the caller takes it for, where nothing else tells. */
  guess?: string | undefined;
}

export function chartMenu(
  request: BrowseRequest,
  chart: ChartName,
  { known, guess }: ChartCountry = {},
): OpmlDocument {
  const { order, title, wants }: Chart = CHARTS[chart];
  const { snapshot, stations, words } = request;
  const { where } = stations;
  const both: StationFilter['where'] =
    where && wants ? (station) => where(station) && wants(station) : (where ?? wants);
  const list: StationList = {
    params:
      guess === undefined
        ? [['c', chart]]
        : [
            ['c', chart],
            ['country', guess],
          ],
    name: '',
    presentation: 'byGenre',
    families: chart === 'recent' ? undefined : { ...stations, where: both },
    page: (page) =>
      chart === 'recent'
        ? stationsInOrder(snapshot, order, { ...page, where: both })
        : chartPage(snapshot, order, known ?? guess, { ...page, where: both }),
  };
  const outlines = stationOutlines(request, list, filterOfPage(request));
  return { title: title && words.text(title), outlines: orNothing(request, outlines) };
}
