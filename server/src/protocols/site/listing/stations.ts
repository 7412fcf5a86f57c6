import { type DimensionName, DIMENSIONS, dimensionsOf } from '../../../core/directory/listing/dimensions.ts';
import type { ListedGroups } from '../../../core/directory/listing/listings.ts';
import { type Choice, narrow, type Narrowed } from '../../../core/directory/listing/narrow.ts';
import { stationIn } from '../../../core/directory/lookup/in-words.ts';
import { findCountryRegion } from '../../../core/directory/lookup/lookups.ts';
import type { DirectoryGenre, Snapshot } from '../../../core/directory/snapshot/snapshot.ts';
import { parseLocale } from '../../../core/i18n/locale.ts';
import { type Words, wordsFor } from '../../../core/i18n/words.ts';
import { songLine } from '../../../core/now-playing/song.ts';
import { type GuideLetter, guideId, parseGuideId } from '../../../lib/guide-id.ts';
import type { SiteAnswer, SiteCall } from '../session/site-endpoint.ts';
import type { SiteApiContext } from '../api/deps.ts';
import { invalid } from '../api/fields.ts';
import { searchStations } from './search-stations.ts';

const PAGE_LENGTH = 50;
const MAX_OFFSET = 1_000_000;
const MAX_TEXT_LENGTH = 200;
/** As long as a browser shows what it has without asking again; songs are told by events. */
const MAX_AGE_SECONDS = 30;

/**
 * A page of the stations of a place, a genre, a language or a network, or of a search; with how many there are of each
 * country, language, quality and kind. Only the site asks for this: the menus of radios have their own lists.
 */
export async function answerStations(call: SiteCall, context: SiteApiContext): Promise<SiteAnswer> {
  const { query } = call;
  const snapshot = context.directory.current();
  const words = wordsOf(call);
  const choice = readChoice(query);
  const text = (query.get('q') ?? '')
    .slice(0, MAX_TEXT_LENGTH)
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim();
  const searched = text === '' ? undefined : await searchStations(text, { call, context, snapshot, words });
  const list = searched
    ? narrow(snapshot, searched.ranks, {
        choice,
        dimensions: await dimensionsOf(snapshot),
        oneLine: searched.oneLine,
      })
    : await context.listings.find(snapshot, readGroups(query, snapshot), choice);
  const offset = readOffset(query);
  const end = Math.min(offset + PAGE_LENGTH, list.ranks.length);
  const ranks = list.ranks.subarray(offset, end);
  return {
    json: {
      total: list.ranks.length,
      isWhole: searched?.isWhole ?? true,
      stations: Array.from(ranks, (rank) => lineOf(rank, { snapshot, words, list, context })),
      next: end < list.ranks.length ? end : null,
      ...(offset === 0 && { filters: filtersOf(list, snapshot, words) }),
    },
    maxAgeSeconds: MAX_AGE_SECONDS,
  };
}

/** The page says its language in the address, so that a browser's cache never mixes two. */
function wordsOf({ query, caller }: SiteCall): Words {
  const locale = parseLocale(query.get('locale') ?? '');
  return locale === undefined ? caller.words : wordsFor(locale);
}

function readChoice(query: URLSearchParams): Choice {
  const chosen: Partial<Record<DimensionName, string>> = {};
  for (const name of DIMENSIONS) {
    const option = query.get(name) ?? '';
    if (option !== '') chosen[name] = option;
  }
  return chosen;
}

function readOffset(query: URLSearchParams): number {
  const text = query.get('offset') ?? '0';
  const offset = /^\d{1,7}$/.test(text) ? Number(text) : Infinity;
  if (offset > MAX_OFFSET) throw invalid('offset', `'offset' must be a whole number up to ${MAX_OFFSET}`);
  return offset;
}

/** More than a menu of radios can name. */
const MAX_GROUPS = 4;
const GROUPS: Readonly<Partial<Record<GuideLetter, keyof ListedGroups>>> = {
  g: 'genreId',
  r: 'regionId',
  l: 'languageId',
  a: 'affiliateId',
};

/** `in=r12,g5`: the stations that are in all of them. `in=music` is the genre that the menu of that name is about. */
function readGroups(query: URLSearchParams, snapshot: Snapshot): ListedGroups {
  const ids = (query.get('in') ?? '').split(',', MAX_GROUPS + 1).filter((id) => id !== '');
  const groups: { -readonly [Name in keyof ListedGroups]: ListedGroups[Name] } = {};
  if (ids.length === 0 || ids.length > MAX_GROUPS) throw unclear();
  for (const text of ids) {
    const top = snapshot.topGenres.find(({ slug }) => slug === text);
    const id = top ? ({ letter: 'g', number: top.id } as const) : parseGuideId(text);
    const country = id?.letter === 'n' ? snapshot.countryById.get(id.number)?.code : undefined;
    const name = country === undefined ? id && GROUPS[id.letter] : 'regionId';
    if (!id || !name || groups[name] !== undefined) throw unclear();
    groups[name] = country === undefined ? id.number : (findCountryRegion(snapshot, country)?.id ?? -1);
  }
  return groups;
}

const unclear = (): Error =>
  invalid(
    'in',
    "Say what to list: 'in=r12' for a place, g for a genre, l for a language, a for a network, several with commas; or 'q=words'",
  );

interface Shown {
  snapshot: Snapshot;
  words: Words;
  list: Narrowed;
  context: SiteApiContext;
}

function lineOf(rank: number, { snapshot, words, list, context }: Shown): object {
  const { id, name, placeName, genreName, bitrate } = stationIn(snapshot, snapshot.stations[rank]!, words);
  const network = list.networks.get(rank);
  const song = context.playing?.songOf(id);
  const onAir = context.onAirBoard?.on(snapshot);
  return {
    id: guideId('s', id),
    name,
    place: placeName,
    genre: genreName,
    kbits: bitrate > 0 ? bitrate : undefined,
    song: song && songLine(song),
    show: onAir?.shows[onAir.placeOf.get(rank) ?? -1]?.showTitle,
    network: network && {
      id: guideId('a', network.id),
      text: words.text('browse.moreFrom', { name: network.name }),
    },
  };
}

/** Of each, as many as a list to choose from has room for. */
const MAX_OPTIONS = 250;

function filtersOf({ counts }: Narrowed, snapshot: Snapshot, words: Words): object {
  const names = namesOf(snapshot);
  const named = (dimension: DimensionName, nameOf: (option: string) => string | undefined): object[] =>
    counts[dimension]
      .slice(0, MAX_OPTIONS)
      .map(({ option, count }) => ({ id: option, name: nameOf(option), count }));
  return {
    country: named('country', (code) => words.countryName(code, names.countries.get(code))),
    language: named('language', (code) => words.languageName(code, names.languages.get(code))),
    quality: named('quality', () => undefined),
    kind: counts.kind.slice(0, MAX_OPTIONS).map(({ option, count }) => {
      const genre = names.genres.get(option);
      const name = words.genreName(option, genre?.name ?? option);
      return { id: option, name, count, of: genre?.parent?.slug };
    }),
  };
}

interface OptionNames {
  countries: ReadonlyMap<string, string>;
  languages: ReadonlyMap<string, string>;
  genres: ReadonlyMap<string, DirectoryGenre>;
}

const optionNames = new WeakMap<Snapshot, OptionNames>();

const namesOf = (snapshot: Snapshot): OptionNames =>
  optionNames.getOrInsertComputed(snapshot, ({ countryById, languageById, genreById }) => ({
    countries: new Map(Array.from(countryById.values(), ({ code, name }) => [code, name])),
    languages: new Map(Array.from(languageById.values(), ({ code, name }) => [code, name])),
    genres: new Map(Array.from(genreById.values(), (genre) => [genre.slug, genre])),
  }));
