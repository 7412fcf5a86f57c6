const MARKS = /\p{M}+/gu;
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
const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}`;
/** A number with a decimal point is one word, because frequencies are numbers: 93.9. */
const WORD = new RegExp(String.raw`\d+(?:[.,]\d+)+|[${UNSPACED}]+|[[\p{L}\p{N}]--[${UNSPACED}]]+`, 'gv');
/** The first code point of Thai; the other unspaced scripts come after it. */
const FIRST_UNSPACED = 0x0e00;
const IS_UNSPACED = new RegExp(String.raw`^[${UNSPACED}]{3,}$`, 'v');

export const MAX_WORD_LENGTH = 40;

/** Truncates, never inside a surrogate pair: PostgreSQL rejects half of one. */
export const cutAt = (text: string, length: number): string =>
  text.length <= length ? text : text.slice(0, length).replace(/[\ud800-\udbff]$/, '');

/** The words of a text, normalised for search: no case, no accents. "Łódź: Radio 93,9" -> lodz, radio, 93.9. */
export function searchWords(text: string): string[] {
  const folded = text
    .normalize('NFKD')
    .replace(MARKS, '')
    .toLowerCase()
    .replace(SPECIAL, (letter) => PLAIN[letter] ?? letter);
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
  const signs = Array.from(word);
  return signs.slice(1).map((sign, index) => `${signs[index]}${sign}`);
}

const BETWEEN_WORDS = /[^\p{L}\p{N}_&+]+/gu;

/**
 * Normalises text for comparison: compatibility letters (mathematical bold, full width) become plain, accents are
 * dropped, lower case, `ß` becomes `ss`, anything between words one space. "𝐑𝐚𝐝𝐢𝐨 Łódź!" -> "radio łodz".
 */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(MARKS, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(BETWEEN_WORDS, ' ')
    .trim();
}
