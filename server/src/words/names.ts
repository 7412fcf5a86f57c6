/** What has a code has a name in every language. */
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

/** The language of the names in the catalogue. There those stand, so that a place has one name and clients know it. */
const CATALOGUE_LANGUAGE = 'en';

/** CLDR knows continents by their numbers in UN M49; one of ours is two of them. */
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

/** CLDR takes these for a wider language, so that a list would have its name twice: Twi and Fanti are Akan to it. */
const NARROWER = new Set(['cld', 'fat', 'gom', 'kmr', 'quz', 'rmy', 'tl', 'tw']);

/** Names of countries, continents and languages as the runtime's own CLDR has them. */
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
      const isShared = NARROWER.has(code) && otherwise !== undefined && otherwise !== name;
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
const MOST_NAMES = 5000;

/**
 * As names stand in a list, which is with a capital: CLDR writes them as in the middle of a sentence (`français`). Kept,
 * since the runtime takes 3 to 8 µs for one and a menu holds a hundred.
 */
function namesIn(language: string, type: 'region' | 'language'): (code: string) => string | undefined {
  const names = new Intl.DisplayNames([language], { type, fallback: 'none' });
  const known = new Map<string, string | undefined>();
  return (code) => {
    let name = known.get(code);
    if (name !== undefined || known.has(code)) return name;
    name = nameOf(names, code);
    if (name) name = name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
    if (known.size >= MOST_NAMES) known.clear();
    known.set(code, name);
    return name;
  };
}

/** Throws on what is no code at all, such as a text from a file. */
function nameOf(names: Intl.DisplayNames, code: string): string | undefined {
  try {
    return names.of(code);
  } catch {
    return undefined;
  }
}
