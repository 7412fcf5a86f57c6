const SUFFIX = '(?:-?(?:FM|AM|LP|HD\\d|LPFM|TDT|DB))?';

interface Grammar {
  pattern: RegExp;
  /** Call signs of three letters are rare and look like any abbreviation. */
  shortLength: number;
}

/** Countries whose stations use their call signs as names; capitals only, because "Kiss" is no call sign. */
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

/** Words that names in capitals use and that have the shape of a call sign. */
const WORDS = new Set(
  `CHAT CHIC CHIP CIAO CITY CBCL KEEP KICK KIDS KILL KIND KING KISS KIWI KNOW KOOL KPOP KRUE WAIT WAKE WALK WALL WANT WARM WATT
   WAVE WAYS WEAR WEED WEEK WELL WENT WEST WHAT WHEN WHOM WIDE WIFE WIFI WILD WILL WIND WINE WINS WIRE WISE WISH WITH
   WOLF WOOD WORD WORK WORM WRAP`.split(/\s+/),
);

/** The first call sign of a name: "WNYC-FM 93.9" -> "WNYC-FM". */
export function parseCallSign(
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
