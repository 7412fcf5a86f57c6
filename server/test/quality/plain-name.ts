const LETTERS: Record<string, string> = { ß: 'ss', ø: 'o', ł: 'l', đ: 'd', æ: 'ae', œ: 'oe', ı: 'i' };

/** Lower case, without accents: `Ö3` and `ö3` are `o3`. Patterns of the lists are folded by the same function. */
export const foldLetters = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[ßøłđæœı]/g, (letter) => LETTERS[letter] ?? letter);

/** What editors write behind a name and nobody says: the quality of the stream. */
const RATE = '(?:[km]bps|kbits?|kb|k)(?: s)?';
const CODEC = 'mp3|aac|aacp|he aac|ogg|opus|flac';
const REMARKS =
  'm3u8|hls|hq|hd|https?|ssl|lq|hi ?fi|lo ?fi|no pub|sans pub|werbefrei|metadata|low|high|adaptive bitrate|deeplink|akamai|nonuk';
const QUALITY = new RegExp(
  `\\b(?:(?:${CODEC})(?: plus)?(?: \\d{2,3})?(?: ?${RATE})?|\\d+ ?${RATE}|${REMARKS})\\b`,
  'g',
);
const FREQUENCY = /(?<![\d.,])(?:(?:8[7-9]|9\d|10[0-8])[.,]\d{1,2})(?![\d.,])(?:\s*(?:mhz|fm)\b)?/gi;

/** South American names often begin with the transmitter's: `HJPU Candela Estéreo`, `ZYD461 Super Rádio Tupi`. */
const CALL_SIGN = /^(?:hj[a-z0-9]{2,3}|zy[a-z]\d{3}|xq[a-z]\d{2,3})\s+(?=\S)/;

const words = (text: string): string =>
  text
    .replaceAll(/['’`´]/g, '')
    .replaceAll('+', ' plus ')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .replaceAll(QUALITY, ' ')
    .replaceAll(/ +/g, ' ')
    .trim();

/**
 * A station's name as it is compared with a pattern: words of small letters and digits, without the quality of the stream.
 * The second form is without the frequency too: `Radio Arabella 92.9`.
 */
export function plainNames(name: string): string[] {
  const folded = foldLetters(name).replace(CALL_SIGN, '');
  return [...new Set([words(folded), words(folded.replaceAll(FREQUENCY, ' '))])];
}
