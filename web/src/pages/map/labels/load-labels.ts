import { askSite } from '../../../session/calls/api.ts';
import { type WorldPoint, worldPoint } from '../view/world.ts';

/** A country or town with stations. */
export interface Place extends WorldPoint {
  name: string;
  /** How many stations it has on the map. */
  count: number;
}

/** Both with the most stations first. */
export interface Places {
  countries: readonly Place[];
  towns: readonly Place[];
}

interface Columns {
  lat: readonly number[];
  lon: readonly number[];
  count: readonly number[];
}

export interface PackedLabels {
  countries: Columns & { code: readonly string[] };
  towns: Columns & { name: readonly string[] };
}

export async function loadPlaces(language: string, signal: AbortSignal): Promise<Places> {
  const { labels } = await askSite<{ labels: PackedLabels }>('map/labels', { signal });
  return readPlaces(labels, language);
}

/** Countries are named in a language; towns as the directory names them. */
export function readPlaces({ countries, towns }: PackedLabels, language: string): Places {
  const inWords = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
  const named = countries.code.map((code) => (/^[A-Z]{2}$/.test(code) ? inWords.of(code) : undefined));
  return {
    countries: placesOf(countries, named).filter(({ name }) => name !== ''),
    towns: placesOf(towns, towns.name),
  };
}

const placesOf = ({ lat, lon, count }: Columns, names: readonly (string | undefined)[]): Place[] =>
  names.map((name = '', at) => ({
    ...worldPoint((lon[at] ?? 0) / 1000, (lat[at] ?? 0) / 1000),
    name,
    count: count[at] ?? 0,
  }));
