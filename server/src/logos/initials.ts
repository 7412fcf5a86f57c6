import { hasGlyph } from './glyphs/glyphs.ts';

/** Words that say nothing of a name that has others. */
const EMPTY = new Set(
  'the a an of and la le les el los las lo il i gli de del der die das den et y e und o os as fm am dab web www http https com online stream'.split(
    ' ',
  ),
);
/** Written before the letter that they are spoken after. */
const VOWELS_BEFORE = /^[เ-ไເ-ໄ]/;
/** What belongs to a letter before it or says how it is spoken, and what is left of an emoji: its variation selector. */
const SILENT_START = /^[\p{M}\p{Lm}]+/u;
/** Scripts in which one letter stands for a word, or joins others: two beside each other would be read together. */
const ALONE =
  /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Georgian}\p{Nd}]/u;
const MOST_DIGITS = 3;
/** A name that is spelled out, of which the first letter alone says nothing: WQXR, 1LIVE. */
const CALL_SIGN = /^[A-Z\d]{3,}$/;

/** One or two letters for a name, each of which can be drawn; '' when there are none. */
export function initialsOf(name: string): string {
  const words = wordsOf(name);
  const telling = words.filter((word) => !EMPTY.has(word.toLowerCase()));
  const [first = '', second = ''] = telling.length > 0 ? telling : words;
  const digits = /^\p{Nd}{2,}/u.exec(first)?.[0].slice(0, MOST_DIGITS);
  if (digits !== undefined && letterOf(digits) !== '') return digits;
  const one = letterOf(first);
  if (one === '' || !ALONE.test(one)) return one;
  return one + alsoAlone(letterOf(second === '' && CALL_SIGN.test(first) ? first.slice(1) : second));
}

const alsoAlone = (letter: string): string => (ALONE.test(letter) ? letter : '');

/** Fancy letters of every kind are plain ones first; what is between words is neither letter nor digit. */
const wordsOf = (name: string): string[] =>
  name
    .normalize('NFKC')
    .slice(0, 200)
    .split(/[^\p{L}\p{M}\p{Nd}]+/u)
    .map((word) => word.replace(SILENT_START, ''))
    .filter((word) => word !== '');

/** The first letter as it is drawn: a capital, where there is one, without its accent if only so it can be. */
function letterOf(word: string): string {
  const [letter = ''] = word.replace(VOWELS_BEFORE, '');
  const [capital = ''] = letter.toUpperCase();
  const [bare = ''] = capital.normalize('NFD');
  return [capital, letter, bare].find((form) => form !== '' && hasGlyph(form)) ?? '';
}
