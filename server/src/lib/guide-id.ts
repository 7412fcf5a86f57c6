/** The letter of a guide ID says what kind of item it names. */
const GUIDE_KINDS = {
  s: 'station',
  p: 'show',
  t: 'topic',
  g: 'genre',
  c: 'category',
  r: 'region',
  a: 'affiliate',
  l: 'language',
  n: 'country',
  f: 'folder',
  u: 'url',
  e: 'stream',
  m: 'artist',
} as const;

export type GuideLetter = keyof typeof GUIDE_KINDS;
export type GuideId<Letter extends GuideLetter = GuideLetter> = `${Letter}${number}`;

export interface ParsedGuideId {
  letter: GuideLetter;
  number: number;
}

/** Our stations and shows are numbered from here, above all numbers of other directories (ADR 19); tests number from 1. */
export const OWN_NUMBERS_FROM = 20_480_001;

/** No safe integer has more digits. */
const MAX_DIGITS = 16;
const [ZERO, NINE] = ['0'.charCodeAt(0), '9'.charCodeAt(0)];

/** `s123` -> { letter: 's', number: 123 }; undefined for anything else, and for numbers too large for the database. */
export function parseGuideId(text: string): ParsedGuideId | undefined {
  const letter = text.charAt(0);
  const number = parseDigits(text, 1);
  if (!isGuideLetter(letter) || number === undefined || !Number.isSafeInteger(number)) return undefined;
  return { letter, number };
}

/** Hand-written: every call names an item, and a regular expression takes four times as long. */
function parseDigits(text: string, from: number): number | undefined {
  if (text.length === from || text.length > from + MAX_DIGITS) return undefined;
  let number = 0;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < ZERO || code > NINE) return undefined;
    number = number * 10 + (code - ZERO);
  }
  return number;
}

/** The number of a guide ID of one kind: `numberOf('s', 's123')` -> 123, `numberOf('s', 'p1')` -> undefined. */
export function numberOf(letter: GuideLetter, text: string): number | undefined {
  const id = parseGuideId(text);
  return id?.letter === letter ? id.number : undefined;
}

export function guideId<Letter extends GuideLetter>(letter: Letter, number: number): GuideId<Letter> {
  return `${letter}${number}`;
}

function isGuideLetter(text: string): text is GuideLetter {
  return Object.hasOwn(GUIDE_KINDS, text);
}
