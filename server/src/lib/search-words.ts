const MARKS = /\p{M}+/gu;
/** Letters that are one sign and not a letter with a mark, as people type them who lack them on the keyboard. */
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
/** A number with a decimal point is one word, since frequencies are numbers: 93.9. */
const WORD = new RegExp(String.raw`\d+(?:[.,]\d+)+|[${UNSPACED}]+|[[\p{L}\p{N}]--[${UNSPACED}]]+`, 'gv');
/** Thai begins there, and the others behind it. */
const FIRST_UNSPACED = 0x0e00;
const IS_UNSPACED = new RegExp(String.raw`^[${UNSPACED}]{3,}$`, 'v');

export const LONGEST_WORD = 40;

/** As much of a text as is kept. Half of a sign is left out: PostgreSQL refuses it. */
export const cutAt = (text: string, length: number): string =>
  text.length <= length ? text : text.slice(0, length).replace(/[\ud800-\udbff]$/, '');

/** The words of a text as they are looked for: no case, no accents. "Łódź: Radio 93,9" -> lodz, radio, 93.9. */
export function searchWords(text: string): string[] {
  const folded = text
    .normalize('NFKD')
    .replace(MARKS, '')
    .toLowerCase()
    .replace(SPECIAL, (letter) => PLAIN[letter] ?? letter);
  const words = folded.match(WORD) ?? [];
  return words.map((word) => (DECIMAL.test(word) ? asSpoken(word) : cutAt(word, LONGEST_WORD)));
}

/** Of all words only numbers have one inside. */
const DECIMAL = /[.,]/;

/** 101.0 MHz is spoken as 101. */
const asSpoken = (number: string): string =>
  cutAt(number, LONGEST_WORD).replaceAll(',', '.').replace(/\.0+$/, '');

/**
 * What stands for a word in a document and in a query. Where words are not parted, every two neighbouring signs count as
 * one, so that 交通广播 is found within 北京交通广播.
 */
export function piecesOf(word: string): string[] {
  if (word.charCodeAt(0) < FIRST_UNSPACED || !IS_UNSPACED.test(word)) return [word];
  const signs = Array.from(word);
  return signs.slice(1).map((sign, index) => `${signs[index]}${sign}`);
}
