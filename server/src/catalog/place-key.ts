import { foldText } from '../lib/fold-text.ts';

const APOSTROPHES = /['’‘`´ʻʼʹʽ]/g;
/** Letters that do not decompose into a plain one and a mark. */
const LETTERS: Readonly<Record<string, string>> = {
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ı: 'i',
  æ: 'ae',
  œ: 'oe',
  ð: 'd',
  þ: 'th',
};
const UNDECOMPOSED = /[łøđıæœðþ]/g;
const LONG_WORDS: Readonly<Record<string, string>> = { st: 'saint', ste: 'sainte', mt: 'mount', ft: 'fort' };
const SHORT_WORDS = /(?<=^| )(?:ste?|mt|ft)(?= |$)/g;
const MAX_LENGTH = 200;

/** The name of a place as it is compared: "St. John’s" and "SAINT JOHNS" are "saint johns". */
export function placeKey(name: string): string {
  return foldText(name.slice(0, MAX_LENGTH).replace(APOSTROPHES, ''))
    .replace(UNDECOMPOSED, (letter) => LETTERS[letter] ?? letter)
    .replace(SHORT_WORDS, (word) => LONG_WORDS[word] ?? word);
}
