import { guideId } from '../../../lib/guide-id.ts';
import { MAX_WORD_LENGTH, cutAt, piecesOf, searchWords } from '../../../lib/search-words.ts';

/** The texts by which an item can be found. */
export interface Findable {
  name: string;
  /** A station's call sign and frequency, a show's hosts. */
  marks: readonly (string | null)[];
  city: string | null;
  cityId: number | null;
  /** Other names of its location: state, country. */
  places: readonly (string | null)[];
  countryId: number | null;
  /** With their ancestors. */
  genres: readonly { id: number; name: string }[];
  languages: readonly string[];
  /** Its own description. */
  about: string | null;
}

export interface SearchDocument {
  nameKey: string;
  /** In PostgreSQL's notation of a tsvector. */
  words: string;
  /** Candidates for correcting a mistyped word. */
  vocabulary: readonly string[];
}

/** A: the name. B: call sign, frequency, hosts. C: place, genre and language. D: the rest, and the fields. */
type Weight = 'A' | 'B' | 'C' | 'D';

const MAX_KEY_LENGTH = 300;
const MAX_WORDS_ABOUT = 60;

/** The name as one word: "bigFM", "Big FM" and "big-fm" are the same. */
export const searchKey = (words: readonly string[]): string => cutAt(words.join(''), MAX_KEY_LENGTH);

/** A word restricted to one field, for queries that name it: `city=paris`. */
export const fieldWord = (field: 'city' | 'genre' | 'country' | 'call' | 'freq', word: string): string =>
  `${field}=${word}`;

/** Stands for all names of a city, of which Munich has ninety: a query that contains one is replaced by this. */
export const cityWord = (cityId: number): string => fieldWord('city', guideId('r', cityId));

export function searchDocument(item: Findable): SearchDocument {
  const weights = new Map<string, Weight>();
  const add = (words: readonly string[], weight: Weight): void => {
    for (const word of words.flatMap(piecesOf)) {
      const before = weights.get(word);
      if (before === undefined || weight < before) weights.set(word, weight);
    }
  };
  const name = searchWords(item.name);
  add(name, 'A');
  add(item.marks.flatMap(wordsOf), 'B');
  const { city, places, genres, languages } = item;
  add([city, ...places, ...genres.map((genre) => genre.name), ...languages].flatMap(wordsOf), 'C');
  const vocabulary = [...weights.keys()].filter(isSpelled);
  add(neighbours(name), 'A');
  add(wordsOf(item.about).slice(0, MAX_WORDS_ABOUT), 'D');
  add(fieldWords(item), 'D');
  return { nameKey: searchKey(name), words: writeVector(weights), vocabulary };
}

const wordsOf = (text: string | null): string[] => (text === null ? [] : searchWords(text));

/** "Radio 1" is also searched as radio1. */
const neighbours = (words: readonly string[]): string[] =>
  words.slice(1).map((word, index) => cutAt(`${words[index]}${word}`, MAX_WORD_LENGTH));

/** Nearly every short word is one typing error from another. Counts characters, as PostgreSQL does. */
export const isSpelled = (word: string): boolean =>
  word.length <= MAX_WORD_LENGTH && /^.{3}/su.test(word) && /\p{L}/u.test(word);

function fieldWords({ city, cityId, marks, genres, countryId, places }: Findable): string[] {
  return [
    ...wordsOf(city).map((word) => fieldWord('city', word)),
    ...marks.flatMap(wordsOf).map((word) => fieldWord(/^\d/.test(word) ? 'freq' : 'call', word)),
    ...genres.flatMap(({ id, name }) =>
      [guideId('g', id), ...searchWords(name)].map((word) => fieldWord('genre', word)),
    ),
    ...wordsOf(places.at(-1) ?? null).map((word) => fieldWord('country', word)),
    ...(cityId === null ? [] : [cityWord(cityId)]),
    ...(countryId === null ? [] : [fieldWord('country', guideId('n', countryId))]),
  ];
}

/** Words contain only letters, digits, points and `=`, so there is nothing to escape between the quotes. */
const writeVector = (weights: ReadonlyMap<string, Weight>): string =>
  [...weights].map(([word, weight]) => `'${word}':1${weight}`).join(' ');
