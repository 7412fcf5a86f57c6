/**
 * Marks that people leave out or that only tell how a word is pronounced: accents, Hebrew and Arabic vowel points, the dot
 * below a Devanagari letter. In other scripts marks are the vowels themselves: दिल (heart) is not दाल (lentils).
 */
const ACCENT = String.raw`[[\p{M}&&[\p{Script=Inherited}\p{Script=Common}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}]]\u093c]`;
/** Letters with a key of their own that Unicode takes apart: й, ў, ї, ѓ, ќ, and ば. Nobody types и for й, as many type е for ё. */
const OWN_LETTER = String.raw`[иу]\u0306|і\u0308|[гк]\u0301|[\p{Script=Hiragana}\p{Script=Katakana}][\u3099\u309a]`;
/** How a conjunct is drawn, not what it says: ශ්‍රී has an invisible sign after its second character. */
const JOINER = String.raw`(?<=[\p{M}--${ACCENT}])[\u200c\u200d]`;
const DROPPED = new RegExp(`(${OWN_LETTER})|${ACCENT}+|${JOINER}`, 'gv');

/** Lower case without accents; compatibility letters (mathematical bold, full width) become plain. */
const plainLetters = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(DROPPED, (_, letter?: string) => letter?.normalize('NFC') ?? '');

/** Letters that are not a base letter with an accent, as people type them without that keyboard. */
const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
  ŧ: 't',
  ħ: 'h',
};
const SPECIAL = /[ßłøđðþæœıŧħ]/g;
/** Scripts that write no spaces between words. */
const UNSPACED = String.raw`[[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}ー]&&[\p{L}\p{N}\p{M}]]`;
const SPACED = String.raw`[[\p{L}\p{N}]--${UNSPACED}][[\p{L}\p{N}\p{M}]--${UNSPACED}]*`;
/** A number with a decimal point is one word, because frequencies are numbers: 93.9. */
const WORD = new RegExp(String.raw`\d+(?:[.,]\d+)+|${UNSPACED}+|${SPACED}`, 'gv');
/** The first code point of Thai; the other unspaced scripts come after it. */
const FIRST_UNSPACED = 0x0e00;
const IS_UNSPACED = new RegExp(`^${UNSPACED}+$`, 'v');
/** A character with the marks on it. */
const SIGN = /\P{M}\p{M}*/gu;

export const MAX_WORD_LENGTH = 40;

/** Truncates, never inside a surrogate pair: PostgreSQL rejects half of one. */
export const cutAt = (text: string, length: number): string =>
  text.length <= length ? text : text.slice(0, length).replace(/[\ud800-\udbff]$/, '');

/** The words of a text, normalised for search: no case, no accents. "Łódź: Radio 93,9" -> lodz, radio, 93.9. */
export function searchWords(text: string): string[] {
  const folded = plainLetters(text).replace(SPECIAL, (letter) => PLAIN[letter] ?? letter);
  const words = folded.match(WORD) ?? [];
  return words.map((word) => (DECIMAL.test(word) ? asSpoken(word) : cutAt(word, MAX_WORD_LENGTH)));
}

/** Only numbers contain these. */
const DECIMAL = /[.,]/;

/** People say 101 for 101.0 MHz. */
const asSpoken = (number: string): string =>
  cutAt(number, MAX_WORD_LENGTH).replaceAll(',', '.').replace(/\.0+$/, '');

/**
 * The index terms for a word, in documents and queries. In scripts without spaces every pair of neighbouring characters
 * is a term, so that 交通广播 is found within 北京交通广播.
 */
export function piecesOf(word: string): string[] {
  if (word.charCodeAt(0) < FIRST_UNSPACED || !IS_UNSPACED.test(word)) return [word];
  const signs = word.match(SIGN) ?? [];
  if (signs.length < 2) return [word];
  return signs.slice(1).map((sign, index) => `${signs[index]}${sign}`);
}

const BETWEEN_WORDS = /[^\p{L}\p{N}\p{M}_&+]+/gu;
const spaceOut = (text: string): string => text.replaceAll('ß', 'ss').replace(BETWEEN_WORDS, ' ').trim();

/** Text as people search for a part of it: as `searchWords`, with one space for anything between words. */
export const searchText = (text: string): string => spaceOut(plainLetters(text));

const MARKS = /\p{M}+/gu;

/**
 * Normalises text for keys, many of which are stored: compatibility letters become plain, lower case, `ß` becomes `ss`,
 * anything between words one space. "𝐑𝐚𝐝𝐢𝐨 Łódź!" -> "radio łodz". Coarser than a search: the marks of every script are
 * dropped, so that two lists that spell a name or a place differently mean the same one.
 */
export const foldText = (text: string): string =>
  spaceOut(text.normalize('NFKD').replace(MARKS, '').toLowerCase());
