import { searchWords } from '../../lib/search-words.ts';

/** The fields a caller can restrict words to. */
export const FIELDS = ['name', 'call', 'freq', 'hosts', 'genre', 'city', 'country'] as const;
export type Field = (typeof FIELDS)[number];

/** The query, apart from who sends it. Callers with equal questions share one cached result. */
export interface Question {
  words: readonly string[];
  fields: readonly { field: Field; words: readonly string[] }[];
}

/** More words than any name has; the rest would only cost time. */
const MAX_WORDS = 10;

/** The words of a text to search for. */
export const questionWords = (text: string): string[] => searchWords(text).slice(0, MAX_WORDS);
