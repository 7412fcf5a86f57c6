import { countries } from 'countries-list';

export interface Continent {
  /** The numbers are the ones that clients of the protocol know; Antarctica has none there and takes the first of ours. */
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
/** Regions of our own are numbered above every well-known one. */
export const FIRST_OWN_REGION = 200_000;

/** What is left of North America when the isthmus and the Caribbean have a menu of their own. */
const NORTH_AMERICA = new Set(['BM', 'CA', 'GL', 'MX', 'PM', 'US']);
/** Three quarters of Russia's people, and most of its stations, are in Europe. */
const MOVED = new Map([['RU', 'EU']]);

/** The code of the continent under which a country's stations are looked for. */
export function continentOf(country: keyof typeof countries): string {
  const listed = countries[country].continent;
  if (listed === 'NA') return NORTH_AMERICA.has(country) ? 'NA' : 'CA';
  return MOVED.get(country) ?? listed;
}
