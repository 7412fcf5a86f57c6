import { type FormatMask, ALL_FORMATS, onlyFormats, playsShow } from '../../lib/stream-format.ts';
import { playableBits, wantedBits } from '../directory/groups/compiled-filter.ts';
import type { Aliases } from '../directory/lookup/by-any-id.ts';
import { findStation } from '../directory/lookup/lookups.ts';
import type { DirectoryGenre, Snapshot } from '../directory/snapshot/snapshot.ts';
import type { Words } from '../i18n/words.ts';
import { itemOfId } from './exactly-meant.ts';
import type { Hit } from './find.ts';
import { bestOf, findMeant } from './find-meant.ts';
import type { Finder, SearchResults } from './finder.ts';
import { findGenreNamed, stationsOfGenre } from './genre-named.ts';
import { ENOUGH, PLENTY } from './queries.ts';
import type { Question } from './question.ts';

export interface SearchSources {
  snapshot: Snapshot;
  finder: Finder;
  aliases: Pick<Aliases, 'find'>;
}

/** What is asked for, and how much of it the answer has room for. */
export interface Asked {
  /** As typed. */
  text: string;
  question: Question;
  stations: number;
  shows: number;
}

/** Who asks. */
export interface Asker {
  countryCode: string | undefined;
  formats: FormatMask;
  words: Words;
}

export interface EverythingMeant extends SearchResults {
  /** The genre of that name, whose stations are among those found. */
  genre: DirectoryGenre | undefined;
}

/** Candidates per displayed show, when some may be unplayable. */
const SHOWS_TO_CHOOSE_FROM = 5;

/**
 * What somebody means by a query, in every protocol: first what the id typed names, then what the words find, with the
 * popular stations of a genre of that name. Shows that the caller cannot play are left out; stations are not yet ranked.
 */
export async function findEverythingMeant(
  sources: SearchSources,
  asked: Asked,
  asker: Asker,
): Promise<EverythingMeant> {
  const { snapshot, finder, aliases } = sources;
  const { text, question } = asked;
  const [meant, found] = await Promise.all([
    itemOfId(text, snapshot, finder, aliases),
    findEnough(sources, asked, asker),
  ]);
  const named = asked.shows > 0 ? inFront(meant.shows, found.shows, ({ show }) => show.id) : [];
  const shows = named.filter(({ show }) => playsShow(show, asker.formats));
  if (asked.stations === 0) return { stations: [], shows, genre: undefined };
  const genre = findGenreNamed(snapshot, question.words, asker.words);
  const ofGenre = genre ? stationsOfGenre(snapshot, genre, asker.countryCode, asker.formats) : [];
  const stations = bestOf([...found.stations, ...ofGenre]);
  return { stations: inFront(meant.stations, stations, ({ id }) => id), shows, genre };
}

const NOTHING: SearchResults = { stations: [], shows: [] };

/** Popular stations rank first in every format, so callers with a rare format need more candidates. */
async function findEnough(
  { snapshot, finder }: SearchSources,
  { question, stations, shows }: Asked,
  { countryCode, formats }: Asker,
): Promise<SearchResults> {
  if (stations === 0 && shows === 0) return NOTHING;
  const kinds = stations > 0 && shows > 0 ? 'sp' : stations > 0 ? 's' : 'p';
  // Unplayable shows are not displayed, so more candidates are needed.
  const isPicky = onlyFormats(formats) !== undefined;
  const room = { kinds, shows: shows * (isPicky ? SHOWS_TO_CHOOSE_FROM : 1) } as const;
  const find = (enough: number): Promise<SearchResults> =>
    findMeant(finder, { ...question, ...room, enough }, snapshot, countryCode);
  if (stations > ENOUGH) return find(PLENTY);
  const found = await find(ENOUGH);
  if (found.stations.length < ENOUGH || formats === ALL_FORMATS) return found;
  return countPlayable(snapshot, found.stations, formats) >= stations ? found : find(PLENTY);
}

function countPlayable(snapshot: Snapshot, hits: readonly Hit[], formats: FormatMask): number {
  const wanted = wantedBits(formats);
  return hits
    .map(({ id }) => findStation(snapshot, id))
    .filter((station) => station !== undefined && (playableBits(station) & wanted) !== 0).length;
}

export function inFront<T>(
  meant: readonly T[],
  others: readonly T[],
  idOf: (hit: T) => number,
): readonly T[] {
  const ids = new Set(meant.map(idOf));
  return ids.size === 0 ? others : [...meant, ...others.filter((hit) => !ids.has(idOf(hit)))];
}
