import { type Random, randomOf, rankOf } from './random.ts';

/** As many different words as the titles and hosts of a million shows contain, including names of people and places. */
const VOCABULARY = 300_000;
const COMMONEST =
  'the podcast and of show with radio a to in life daily talk for world news stories history music on science sports my business'.split(
    ' ',
  );
const CONSONANTS = 'bcdfghjklmnprstvz'.split('');
const VOWELS = 'aeiou'.split('');
const SYLLABLES = CONSONANTS.flatMap((consonant) => VOWELS.map((vowel) => consonant + vowel));
/** The many rare words are longer, so that few are one typing error apart, as in a real language. */
const SHORT_WORDS = 5000;
/** Coprime to the powers of the number of syllables, so that no word occurs twice and neighbours differ. */
const STRIDE = 7_654_321;
const TEXT_LENGTH = 2 ** 21;

const words = Array.from({ length: VOCABULARY }, (_, rank) => COMMONEST[rank] ?? madeUpWord(rank));

function madeUpWord(rank: number): string {
  const syllables = rank < SHORT_WORDS ? 3 : 4;
  let left = (rank * STRIDE) % SYLLABLES.length ** syllables;
  let word = '';
  for (let count = 0; count < syllables; count += 1) {
    word += SYLLABLES[left % SYLLABLES.length];
    left = Math.floor(left / SYLLABLES.length);
  }
  return word;
}

const wordOf = (random: Random): string => words[rankOf(random, VOCABULARY)] ?? '';

/** Capitalised words: a title, or the names of hosts. */
export function titleOf(random: Random, count: number): string {
  const title = Array.from({ length: count }, () => wordOf(random)).join(' ');
  return title.charAt(0).toUpperCase() + title.slice(1);
}

const text = makeText(randomOf(1));

function makeText(random: Random): string {
  const parts: string[] = [];
  for (let length = 0; length < TEXT_LENGTH; length += parts.at(-1)?.length ?? 0)
    parts.push(`${titleOf(random, 6 + Math.floor(random() * 12))}. `);
  return parts.join('');
}

/** Running text of this many characters. */
export function textOf(random: Random, length: number): string {
  const start = text.indexOf(' ', Math.floor(random() * (TEXT_LENGTH - length - 100))) + 1;
  return text.slice(start, start + length);
}
