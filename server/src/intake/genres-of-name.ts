import taxonomy from '../catalog/genre-taxonomy.json' with { type: 'json' };
import { MAX_NAME_LENGTH } from './clean-name.ts';

/** Words and phrases, each with the places of its genres in the taxonomy. */
const PHRASES = new Map<string, number[]>();
/** Beginnings of words, where the taxonomy says `*`. */
const BEGINNINGS: [beginning: string, index: number][] = [];
const FIRST_WORDS = new Set<string>();
const BETWEEN_WORDS = /([^\p{L}\p{N}_]+)/u;
let longestPhrase = 1;

for (const [index, { nameWords }] of taxonomy.genres.entries()) {
  for (const phrase of nameWords) {
    if (phrase.endsWith('*')) BEGINNINGS.push([phrase.slice(0, -1), index]);
    else addPhrase(phrase, index);
  }
}

function addPhrase(phrase: string, index: number): void {
  const parts = phrase.split(BETWEEN_WORDS);
  FIRST_WORDS.add(parts[0] ?? '');
  longestPhrase = Math.max(longestPhrase, parts.length);
  PHRASES.getOrInsertComputed(phrase, () => []).push(index);
}

/** The genres whose words stand in a name, in the order of the taxonomy. */
export function genresOfName(name: string): string[] {
  // A capital İ becomes two characters in lower case, and the Turkish "HİT" is a hit all the same.
  const parts = name.slice(0, MAX_NAME_LENGTH).toLowerCase().replaceAll('i\u0307', 'i').split(BETWEEN_WORDS);
  const found = new Set<number>();
  // Words and what is between them alternate.
  for (let at = 0; at < parts.length; at += 2) addGenresAt(parts, at, found);
  return [...found].toSorted((a, b) => a - b).map((index) => taxonomy.genres[index]?.slug ?? '');
}

function addGenresAt(parts: readonly string[], at: number, found: Set<number>): void {
  const word = parts[at] ?? '';
  for (const [beginning, index] of BEGINNINGS) if (word.startsWith(beginning)) found.add(index);
  if (!FIRST_WORDS.has(word)) return;
  let phrase = '';
  for (let end = at; end < Math.min(parts.length, at + longestPhrase); end++) {
    phrase += parts[end] ?? '';
    for (const index of PHRASES.get(phrase) ?? []) found.add(index);
  }
}
