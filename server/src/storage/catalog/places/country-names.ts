import { countries } from 'countries-list';
import { iso31661 } from 'iso-3166';
import { placeKey } from './name-table.ts';

/** Kosovo has no code of its own in ISO 3166; XK is what everyone uses. */
export const COUNTRY_CODES: readonly string[] = [...iso31661.map(({ alpha2 }) => alpha2), 'XK'];

/** Places with a code of their own that sources often list under the country they belong to. */
export const TERRITORIES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    AU: ['CC', 'CX', 'NF'],
    CN: ['HK', 'MO'],
    DK: ['FO', 'GL'],
    FI: ['AX'],
    FR: ['BL', 'GF', 'GP', 'MF', 'MQ', 'NC', 'PF', 'PM', 'RE', 'WF', 'YT'],
    GB: ['AI', 'BM', 'FK', 'GG', 'GI', 'IM', 'JE', 'KY', 'MS', 'SH', 'TC', 'VG'],
    NL: ['AW', 'BQ', 'CW', 'SX'],
    NO: ['SJ'],
    NZ: ['CK', 'NU', 'TK'],
    US: ['AS', 'GU', 'MP', 'PR', 'VI'],
  }),
);

const CODE_VARIANTS = new Map([
  ['UK', 'GB'],
  ['EL', 'GR'],
]);

/** Names of countries in lists, besides those of ISO, CLDR and their own languages. */
const MORE_NAMES: Readonly<Record<string, readonly string[]>> = {
  BA: ['Bosnia'],
  BO: ['Plurinational State of Bolivia'],
  CD: ['Congo Kinshasa', 'Democratic Republic of Congo'],
  CG: ['Congo Brazzaville', 'Congo'],
  CI: ['Coted Ivoire', 'Cote d Ivoire'],
  CN: ['PRC', "People's Republic of China", 'Mainland China'],
  FK: ['Falklands'],
  FM: ['Federated States of Micronesia'],
  GB: ['England', 'Scotland', 'Wales', 'Northern Ireland', 'Great Britain', 'U.K.'],
  IE: ['Republic of Ireland', 'Eire'],
  KP: ["Democratic People's Republic of Korea"],
  KR: ['Korea'],
  MD: ['Republic of Moldova'],
  MF: ['Saint Martin'],
  MK: ['The Former Yugoslav Republic of Macedonia'],
  NL: ['Holland'],
  PS: ['State of Palestine', 'Occupied Palestinian Territory'],
  SH: ['Ascension and Tristan da Cunha Saint Helena'],
  SX: ['Sint Maarten'],
  TW: ['Republic of China', 'Taiwan, Republic of China'],
  US: ['U.S.', 'U.S.A.', 'The States'],
  VA: ['Holy See (Vatican City State)', 'Vatican City State'],
  VE: ['Bolivarian Republic of Venezuela'],
  VG: ['Virgin Islands, British', 'BVI'],
  VI: ['Virgin Islands, U.S.', 'US Virgin Islands', 'Virgin Islands'],
};
const LOCALES =
  'en de fr es it pt nl pl ru uk cs hu ro sv da nb fi el tr ar he fa hi id vi th zh ja ko'.split(' ');

/** Words that vary in names of countries, as does the order: "Moldova, Republic of", "The Republic of Moldova". */
const FILLERS = new Set(['the', 'of', 'and', '&']);
const TITLES = FILLERS.union(
  new Set(
    'republic federal federation democratic peoples state kingdom islamic arab province sar part'.split(' '),
  ),
);

/** The ISO 3166 code for a code or a name in any common spelling; undefined if it is not a country. */
export function parseCountry(text: string): string | undefined {
  const code = text.trim().toUpperCase();
  const { codes, names, bareNames } = (index ??= buildIndex());
  if (/^[A-Z]{2}$/.test(code)) return CODE_VARIANTS.get(code) ?? (codes.has(code) ? code : undefined);
  return names.get(nameKey(text, FILLERS)) ?? bareNames.get(bareKey(text)) ?? undefined;
}

interface CountryIndex {
  codes: ReadonlySet<string>;
  names: ReadonlyMap<string, string>;
  /** Without titles; null where two countries would share a name, as the two Congos do. */
  bareNames: ReadonlyMap<string, string | null>;
}

// Built on first use: it takes tens of milliseconds that a process without an import need not spend.
let index: CountryIndex | undefined;

function buildIndex(): CountryIndex {
  const names = new Map<string, string>();
  const bareNames = new Map<string, string | null>();
  for (const source of [ownNames, translatedNames]) {
    for (const code of COUNTRY_CODES) {
      for (const name of source(code)) {
        const key = nameKey(name, FILLERS);
        if (key !== '' && !names.has(key)) names.set(key, code);
        if (source === ownNames) addBare(bareNames, bareKey(name), code);
      }
    }
  }
  return { codes: new Set(COUNTRY_CODES), names, bareNames };
}

function addBare(bareNames: Map<string, string | null>, key: string, code: string): void {
  const other = bareNames.get(key);
  if (key !== '') bareNames.set(key, other === undefined || other === code ? code : null);
}

function ownNames(code: string): string[] {
  const iso = iso31661.find(({ alpha2 }) => alpha2 === code);
  const listed = isListed(code) ? countries[code] : undefined;
  return [
    ...(listed ? [listed.name, ...(listed.alias ?? []), listed.native] : []),
    ...(iso ? [iso.name, iso.alpha3] : []),
    ...(MORE_NAMES[code] ?? []),
  ];
}

const isListed = (code: string): code is keyof typeof countries => Object.hasOwn(countries, code);

const displayNames = new Map<string, Intl.DisplayNames>();
const namesIn = (locale: string): Intl.DisplayNames => new Intl.DisplayNames(locale, { type: 'region' });

function* translatedNames(code: string): Generator<string> {
  for (const locale of LOCALES) yield displayNames.getOrInsertComputed(locale, namesIn).of(code) ?? code;
}

const bareKey = (text: string): string => nameKey(text, TITLES);

function nameKey(text: string, dropped: ReadonlySet<string>): string {
  const words = placeKey(text).split(' ');
  return words
    .filter((word) => !dropped.has(word))
    .toSorted()
    .join(' ');
}
