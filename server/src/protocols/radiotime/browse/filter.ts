import type { StationOrder } from '../../../core/directory/groups/select-stations.ts';
import { parseGuideId } from '../../../lib/guide-id.ts';

/** `filter` is a list of tokens separated by colons: `s:popular`, `p`, `s:~A:bit64*:l5`. Unknown tokens are ignored. */
export interface BrowseFilter {
  /** Only stations or only shows, as one flat list: the page that a group leads to. */
  readonly kind: 's' | 'p' | undefined;
  /** The newest topics of shows. */
  readonly topics: boolean;
  readonly order: keyof typeof ORDERS | undefined;
  /** The first letter of names. */
  readonly initial: string | undefined;
  /** `bit64`, `bit64*` for at least that, `bit64-` for at most that. */
  readonly bitrate: string | undefined;
  readonly uptime: keyof typeof MIN_RELIABILITY | undefined;
  /** Only stations without a known place. */
  readonly unplaced: boolean;
  readonly genreId: number | undefined;
  readonly regionId: number | undefined;
  readonly languageId: number | undefined;
  /** As callers may write it; the request replaces it by its region. */
  readonly countryId: number | undefined;
}

export const ORDERS = {
  popular: 'popularity',
  topvoted: 'votes',
  topclick: 'clicks',
  random: 'random',
} as const satisfies Record<string, StationOrder>;

/** Minimum reliability, in percent, for each level. */
export const MIN_RELIABILITY = { 'up-low': 20, 'up-med': 60, 'up-hi': 90 } as const;

export const NO_FILTER: BrowseFilter = {
  kind: undefined,
  topics: false,
  order: undefined,
  initial: undefined,
  bitrate: undefined,
  uptime: undefined,
  unplaced: false,
  genreId: undefined,
  regionId: undefined,
  languageId: undefined,
  countryId: undefined,
};

/** `bit`, a number, and optionally "and above" or "and below". */
export const BITRATE = /^bit(\d{1,4})([*-]?)$/;
const INITIAL = /^~(.)$/u;
/** More than there are kinds of tokens. */
const MAX_TOKENS = 16;

export function parseFilter(text: string | undefined): BrowseFilter {
  if (text === undefined) return NO_FILTER;
  return text
    .split(':', MAX_TOKENS)
    .reduce<BrowseFilter>((filter, token) => ({ ...filter, ...meaningOf(token) }), NO_FILTER);
}

function meaningOf(token: string): Partial<BrowseFilter> {
  if (token === 's' || token === 'p') return { kind: token };
  if (token === 'topic') return { topics: true };
  if (token === 'unplaced') return { unplaced: true };
  if (isKey(ORDERS, token)) return { order: token };
  if (isKey(MIN_RELIABILITY, token)) return { uptime: token };
  if (BITRATE.test(token)) return { bitrate: token };
  const initial = INITIAL.exec(token)?.[1];
  return initial === undefined ? groupOf(token) : { initial: initial.toUpperCase() };
}

function groupOf(token: string): Partial<BrowseFilter> {
  const id = parseGuideId(token);
  if (id?.letter === 'g') return { genreId: id.number };
  if (id?.letter === 'r') return { regionId: id.number };
  if (id?.letter === 'n') return { countryId: id.number };
  return id?.letter === 'l' ? { languageId: id.number } : {};
}

const isKey = <T extends object>(table: T, token: string): token is keyof T & string =>
  Object.hasOwn(table, token);

/** Writes the tokens in a fixed order; undefined when there are none. */
export function writeFilter(filter: BrowseFilter): string | undefined {
  if (filter === NO_FILTER) return undefined;
  const tokens = [
    filter.kind,
    filter.topics ? 'topic' : undefined,
    filter.order,
    filter.unplaced ? 'unplaced' : undefined,
    filter.initial === undefined ? undefined : `~${filter.initial}`,
    filter.bitrate,
    filter.uptime,
    filter.genreId === undefined ? undefined : `g${filter.genreId}`,
    filter.regionId === undefined ? undefined : `r${filter.regionId}`,
    filter.languageId === undefined ? undefined : `l${filter.languageId}`,
  ].filter((token) => token !== undefined);
  return tokens.length > 0 ? tokens.join(':') : undefined;
}

/** The parts of a filter that deeper menus inherit: the language and the sound quality. */
export const lasting = ({ bitrate, uptime, languageId }: BrowseFilter): BrowseFilter => ({
  ...NO_FILTER,
  bitrate,
  uptime,
  languageId,
});
