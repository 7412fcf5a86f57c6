export interface Broadcast {
  callSign?: string;
  /** As people say it: megahertz on FM, kilohertz on AM. */
  frequency?: string;
  band?: 'FM' | 'AM';
}

/** `WNYC 93.9 FM` -> WNYC, 93.9, FM. The name must be cleaned already. */
export function parseBroadcast(name: string, countryCode: string | undefined): Broadcast {
  const hasDigit = /\d/.test(name);
  const callSign = parseCallSign(name, countryCode, hasDigit);
  const heard = hasDigit
    ? (findFm(name) ?? findAm(name) ?? findBareAm(name, callSign, countryCode))
    : undefined;
  return { ...(callSign ? { callSign } : {}), ...heard };
}

type Heard = Required<Pick<Broadcast, 'frequency' | 'band'>>;

const UNIT = String.raw`\s*(?:fm|mhz|мгц|фм)`;
const DECIMAL = /(?<![\d.,:/])(\d{2,3})[.,](\d{1,2})(?![\d:%]|[.,]\d)(?!\s*(?:k|%|am\b|khz|кгц))/gi;
const WHOLE = new RegExp(
  String.raw`(?<![\d.,:])(\d{2,3})${UNIT}(?![\p{L}\d])|(?:fm|мгц|фм)\s?(\d{2,3})(?![\d.,]\d|\d|\s?(?:k|am\b))`,
  'giu',
);
/** Chinese names write the tenths without a point: FM1045. */
const TENTHS = /fm\s?(\d{3,4})(?![\d.,]|\s?(?:k|am\b))/gi;

function findFm(name: string): Heard | undefined {
  for (const [, whole = '', tenths = ''] of name.matchAll(DECIMAL)) {
    const frequency = fm(Number(`${whole}.${tenths}`));
    if (frequency) return frequency;
  }
  for (const [, before, after] of name.matchAll(WHOLE)) {
    const frequency = fm(Number(before ?? after));
    if (frequency) return frequency;
  }
  for (const [, digits] of name.matchAll(TENTHS)) {
    const frequency = fm(Number(digits) / 10);
    if (frequency) return frequency;
  }
  return undefined;
}

/** Japan's band begins at 76 MHz; below 87.5 the rest of the world has television. */
function fm(megahertz: number): Heard | undefined {
  if (!(megahertz >= 76 && megahertz <= 108)) return undefined;
  return { frequency: Number.isInteger(megahertz) ? megahertz.toFixed(1) : String(megahertz), band: 'FM' };
}

const KILOHERTZ =
  /(?<![\d.,:])(\d{3,4})\s*(?:am|khz|кгц)(?![\p{L}\d])|(?<!\p{L})am[ -]?(\d{3,4})(?![\d.,])/giu;

function findAm(name: string): Heard | undefined {
  for (const [, before, after] of name.matchAll(KILOHERTZ)) {
    const frequency = am(Number(before ?? after));
    if (frequency) return frequency;
  }
  return undefined;
}

const am = (kilohertz: number): Heard | undefined =>
  kilohertz >= 520 && kilohertz <= 1710 ? { frequency: String(kilohertz), band: 'AM' } : undefined;

/** "WBBR 1130": next to an American call sign a number on the ten-kilohertz grid needs no unit. */
function findBareAm(
  name: string,
  callSign: string | undefined,
  countryCode: string | undefined,
): Heard | undefined {
  if (!callSign || (countryCode !== 'US' && countryCode !== 'CA') || callSign.endsWith('-FM'))
    return undefined;
  const [, digits = ''] = /(?<![\d.,:/-])(\d{2,3}0)(?![\d.,:%/-]|\s?k|s\b)/.exec(name) ?? [];
  return am(Number(digits));
}

const SUFFIX = '(?:-?(?:FM|AM|LP|HD\\d|LPFM|TDT|DB))?';

interface Grammar {
  pattern: RegExp;
  /** Three-letter call signs are rare and look like any abbreviation. */
  shortLength: number;
}

/** Countries whose stations use their call signs as names; capitals only, because "Kiss" is not a call sign. */
const GRAMMARS = new Map<string, Grammar>(
  Object.entries({
    US: '[KW][A-Z]{2,3}',
    CA: '(?:C[BFGHIJKY][A-Z]{2}|VO[A-Z]{2})',
    MX: 'X[EH][A-Z]{1,5}',
    PH: 'D[W-Z][A-Z]{2}',
    GU: 'K[A-Z]{3}',
    PR: 'W[A-Z]{3}',
  }).map(([country, letters]) => [
    country,
    {
      pattern: new RegExp(`(?<![\\p{L}\\d'’-])(${letters})(${SUFFIX})(?![\\p{L}'’]|\\d|[.]\\p{L})`, 'gu'),
      shortLength: country === 'MX' ? 0 : 3,
    },
  ]),
);

/** Words common in capitalised names that have the shape of a call sign. */
const WORDS = new Set(
  `CHAT CHIC CHIP CIAO CITY CBCL KEEP KICK KIDS KILL KIND KING KISS KIWI KNOW KOOL KPOP KRUE WAIT WAKE WALK WALL WANT WARM WATT
   WAVE WAYS WEAR WEED WEEK WELL WENT WEST WHAT WHEN WHOM WIDE WIFE WIFI WILD WILL WIND WINE WINS WIRE WISE WISH WITH
   WOLF WOOD WORD WORK WORM WRAP`.split(/\s+/),
);

/** The first call sign of a name: "WNYC-FM 93.9" -> "WNYC-FM". */
function parseCallSign(
  name: string,
  countryCode: string | undefined,
  hasFrequency: boolean,
): string | undefined {
  const grammar = countryCode === undefined ? undefined : GRAMMARS.get(countryCode);
  if (!grammar) return undefined;
  for (const [, letters = '', suffix = ''] of name.matchAll(grammar.pattern)) {
    if (suffix !== '') return `${letters}-${suffix.replace('-', '')}`;
    const isShort = letters.length <= grammar.shortLength;
    if (!WORDS.has(letters) && (!isShort || hasFrequency)) return letters;
  }
  return undefined;
}
