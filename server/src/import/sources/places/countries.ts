import { countries } from 'countries-list';
import type { Coordinate } from '../../../lib/geo.ts';
import { COUNTRY_CODES } from '../../../storage/catalog/places/country-names.ts';

export interface CountryRecord {
  code: string;
  name: string;
  continent: string;
  languages: readonly string[];
  /** Given only where no city provides one. */
  coordinate: Coordinate | undefined;
}

/** Where the list drops letters that belong to the name, or uses a former name. */
const NAMES: Readonly<Record<string, string>> = {
  AX: 'Åland Islands',
  BL: 'Saint Barthélemy',
  BQ: 'Caribbean Netherlands',
  CW: 'Curaçao',
  RE: 'Réunion',
  ST: 'São Tomé and Príncipe',
  TL: 'Timor-Leste',
};

const WITHOUT_CITIES: Readonly<Record<string, Coordinate>> = {
  BV: { latitude: -54.42, longitude: 3.35 },
  HM: { latitude: -53.1, longitude: 73.51 },
  IO: { latitude: -7.31, longitude: 72.41 },
  UM: { latitude: 19.3, longitude: 166.63 },
};

export const listCountryRecords = (): CountryRecord[] => COUNTRY_CODES.filter(isListed).map(countryRecord);

function countryRecord(code: keyof typeof countries): CountryRecord {
  const { name, languages } = countries[code];
  return {
    code,
    name: NAMES[code] ?? name,
    continent: continentOf(code),
    languages,
    coordinate: WITHOUT_CITIES[code],
  };
}

const isListed = (code: string): code is keyof typeof countries => Object.hasOwn(countries, code);

interface Continent {
  /** The ids that clients of the protocol know; Antarctica has none there and takes the first of ours. */
  id: number;
  code: string;
  name: string;
}

export const CONTINENTS: readonly Continent[] = [
  { id: 101215, code: 'AF', name: 'Africa' },
  { id: 200000, code: 'AN', name: 'Antarctica' },
  { id: 101216, code: 'AS', name: 'Asia' },
  { id: 100297, code: 'OC', name: 'Australasia and Oceania' },
  { id: 101320, code: 'CA', name: 'Central America and Caribbean' },
  { id: 101217, code: 'EU', name: 'Europe' },
  { id: 101218, code: 'NA', name: 'North America' },
  { id: 101219, code: 'SA', name: 'South America' },
];
/** Our own regions are numbered above every well-known one. */
export const FIRST_OWN_REGION = 200_000;

/** The rest of North America, since Central America and the Caribbean have menus of their own. */
const NORTH_AMERICA = new Set(['BM', 'CA', 'GL', 'MX', 'PM', 'US']);
/** Three quarters of Russia's people, and most of its stations, are in Europe. */
const MOVED = new Map([['RU', 'EU']]);

/** The code of the continent whose menu lists a country. */
function continentOf(country: keyof typeof countries): string {
  const listed = countries[country].continent;
  if (listed === 'NA') return NORTH_AMERICA.has(country) ? 'NA' : 'CA';
  return MOVED.get(country) ?? listed;
}
