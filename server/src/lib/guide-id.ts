/** The letter of a guide ID says what kind of item it names. */
export const GUIDE_KINDS = {
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

const SHAPE = /^([a-z])(\d{1,16})$/;

/** `s123` -> { letter: 's', number: 123 }; anything else, and numbers no database column holds, -> undefined. */
export function parseGuideId(text: string): ParsedGuideId | undefined {
  const [, letter = '', digits = ''] = SHAPE.exec(text) ?? [];
  const number = Number(digits);
  if (!isGuideLetter(letter) || !Number.isSafeInteger(number)) return undefined;
  return { letter, number };
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
