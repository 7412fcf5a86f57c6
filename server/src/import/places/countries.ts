import { countries } from 'countries-list';
import { COUNTRY_CODES } from '../../catalog/country-names.ts';
import { type Coordinate } from '../../lib/geo.ts';
import { continentOf } from './continents.ts';

export interface CountryRecord {
  code: string;
  name: string;
  continent: string;
  languages: readonly string[];
  /** Given only where no city can lend its own. */
  coordinate: Coordinate | undefined;
}

/** Where the list drops letters that belong to the name, or uses one that the country gave up. */
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
