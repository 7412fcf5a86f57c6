/** Names in one language for what has a standard code. */
export interface CodeNames {
  /** By ISO 3166-1 code: `DE` -> Germany. */
  countryName: (code: string, otherwise?: string) => string;
  /** By ISO 639 code: `de` -> German. */
  languageName: (code: string, otherwise?: string) => string;
  /** By the code of a region: `country:DE`, `continent:EU`; states and cities keep the name given. */
  regionName: (code: string, otherwise: string) => string;
  /** The order of names in a list: `Ägypten` before `Belgien`. */
  compareNames: (one: string, other: string) => number;
}

/** The catalogue's language. Its own names are used in it, so that a place has one name and clients recognise it. */
const CATALOGUE_LANGUAGE = 'en';

/** CLDR identifies continents by their UN M49 numbers; one of ours is two of them. */
const CONTINENTS: ReadonlyMap<string, readonly string[]> = new Map([
  ['AF', ['002']],
  ['AN', ['AQ']],
  ['AS', ['142']],
  ['CA', ['013', '029']],
  ['EU', ['150']],
  ['NA', ['003']],
  ['OC', ['009']],
  ['SA', ['005']],
]);

/** CLDR maps these to a wider language, whose name a list would then have twice: it calls both Twi and Fanti Akan. */
const NARROWER = new Set(['cld', 'fat', 'gom', 'kmr', 'quz', 'rmy', 'tl', 'tw']);
/** Two languages that one language has one word for: Ladin and Ladino in Czech. */
const SAME_WORD = new Set(['cs:lld']);

/** Names of countries, continents and languages from the runtime's own CLDR data. */
export function codeNames(language: string): CodeNames {
  const regions = namesIn(language, 'region');
  const languages = namesIn(language, 'language');
  const and = new Intl.ListFormat(language, { type: 'conjunction' });
  const continentName = (code: string): string | undefined => {
    const parts = (CONTINENTS.get(code) ?? []).map((number) => regions(number) ?? '');
    return parts.length > 0 ? and.format(parts) : undefined;
  };
  const isCatalogues = language === CATALOGUE_LANGUAGE;
  const countryName: CodeNames['countryName'] = (code, otherwise) =>
    (isCatalogues ? otherwise : undefined) ?? regions(code) ?? otherwise ?? code;
  return {
    countryName,
    languageName(code, otherwise) {
      if (isCatalogues && otherwise !== undefined) return otherwise;
      const name = languages(code) ?? otherwise ?? code;
      const isNarrower = NARROWER.has(code) || SAME_WORD.has(`${language}:${code}`);
      const isShared = isNarrower && otherwise !== undefined && otherwise !== name;
      return isShared ? `${name} (${otherwise})` : name;
    },
    regionName(code, otherwise) {
      const [kind, rest = ''] = code.split(':', 2);
      if (kind === 'country') return countryName(rest, otherwise);
      return (kind === 'continent' && !isCatalogues ? continentName(rest) : undefined) ?? otherwise;
    },
    compareNames: new Intl.Collator(language).compare,
  };
}

/** Far more than there are countries and languages. */
const MAX_NAMES = 5000;

/**
 * Capitalised, as in a list: CLDR writes names as in the middle of a sentence (`français`). Cached, since the runtime
 * takes 3 to 8 µs for one and a menu has a hundred.
 */
function namesIn(language: string, type: 'region' | 'language'): (code: string) => string | undefined {
  const names = new Intl.DisplayNames([language], { type, fallback: 'none' });
  const known = new Map<string, string | undefined>();
  return (code) => {
    let name = known.get(code);
    if (name !== undefined || known.has(code)) return name;
    name = nameOf(names, code);
    if (name) name = name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
    if (known.size >= MAX_NAMES) known.clear();
    known.set(code, name);
    return name;
  };
}

/** Throws on an invalid code, such as a text from a file. */
function nameOf(names: Intl.DisplayNames, code: string): string | undefined {
  try {
    return names.of(code);
  } catch {
    return undefined;
  }
}
