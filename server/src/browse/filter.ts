import type { StationOrder } from '../directory/in-order.ts';
import { parseGuideId } from '../lib/guide-id.ts';

/** `filter` is tokens between colons: `s:popular`, `p`, `s:~A:bit64*:l5`. Those that mean nothing here are ignored. */
export interface BrowseFilter {
  /** Only stations or only shows, as one flat list: the pages behind a group. */
  readonly kind: 's' | 'p' | undefined;
  /** Of shows, their newest topics. */
  readonly topics: boolean;
  readonly order: keyof typeof ORDERS | undefined;
  /** The letter that names begin with. */
  readonly initial: string | undefined;
  /** `bit64`, `bit64*` for that and above, `bit64-` for that and below. */
  readonly bitrate: string | undefined;
  readonly uptime: keyof typeof LEAST_RELIABILITY | undefined;
  /** Only stations of which nobody knows where they are. */
  readonly unplaced: boolean;
  readonly genreId: number | undefined;
  readonly regionId: number | undefined;
  readonly languageId: number | undefined;
  /** As a caller may name a place; the request says its region instead. */
  readonly countryId: number | undefined;
}

export const ORDERS = {
  popular: 'popularity',
  topvoted: 'votes',
  topclick: 'clicks',
  random: 'random',
} as const satisfies Record<string, StationOrder>;

/** Of a hundred; what a station has been at least to be called so. */
export const LEAST_RELIABILITY = { 'up-low': 20, 'up-med': 60, 'up-hi': 90 } as const;

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

/** `bit`, a number, and whether what is above or below counts too. */
export const BITRATE = /^bit(\d{1,4})([*-]?)$/;
const INITIAL = /^~(.)$/u;
/** More than all kinds of token there are. */
const MOST_TOKENS = 16;

export function parseFilter(text: string | undefined): BrowseFilter {
  if (text === undefined) return NO_FILTER;
  return text
    .split(':', MOST_TOKENS)
    .reduce<BrowseFilter>((filter, token) => ({ ...filter, ...meaningOf(token) }), NO_FILTER);
}

function meaningOf(token: string): Partial<BrowseFilter> {
  if (token === 's' || token === 'p') return { kind: token };
  if (token === 'topic') return { topics: true };
  if (token === 'unplaced') return { unplaced: true };
  if (isKey(ORDERS, token)) return { order: token };
  if (isKey(LEAST_RELIABILITY, token)) return { uptime: token };
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

/** The tokens again, always in the same order; undefined for none. */
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

/** What of a filter goes along into deeper menus: the language and what a listener asks of the sound. */
export const lasting = ({ bitrate, uptime, languageId }: BrowseFilter): BrowseFilter => ({
  ...NO_FILTER,
  bitrate,
  uptime,
  languageId,
});
