import {
  type DirectoryRegion,
  type DirectoryStation,
  lineageOf,
  type Snapshot,
} from '../../../../core/directory/snapshot/snapshot.ts';
import { forEachYielding } from '../../../../lib/clock.ts';
import type { Coordinate } from '../../../../lib/geo.ts';

/** Places by the number of their stations on the map, those with the most first. */
interface Places {
  /** In thousandths of a degree, as the points of the map. */
  lat: number[];
  lon: number[];
  count: number[];
}

export interface MapLabels {
  /** ISO 3166-1 codes: browsers know what a country is called in the listener's language. Each is at its largest town. */
  countries: Places & { code: string[] };
  towns: Places & { name: string[] };
}

/** Smaller ones have one or two stations, which the map names when they are pointed at. */
const MAX_TOWNS = 5000;
const DEGREE = 1000;

interface Counted {
  name: string;
  count: number;
  coordinate: Coordinate;
  country: string | undefined;
}

/** What the map is lettered with: only places whose stations are on it. */
export async function mapLabels(
  { stations, regionById }: Pick<Snapshot, 'stations' | 'regionById'>,
  most = MAX_TOWNS,
): Promise<MapLabels> {
  const towns = new Map<number, Counted>();
  const countries = new Map<string, Counted>();
  await forEachYielding(stations, (station) => {
    const { coordinate } = station;
    if (!coordinate) return;
    const region = regionById.get(station.regionId ?? Number.NaN);
    const country = countryOf(station, region);
    if (region?.kind === 'city') add(towns, region.id, region.name, region.coordinate ?? coordinate, country);
    if (country !== undefined) add(countries, country, country, coordinate, country);
  });
  const largest = [...towns.values()].toSorted((one, other) => other.count - one.count);
  const seats = new Map(largest.toReversed().map(({ country, coordinate }) => [country, coordinate]));
  const byCount = [...countries.values()]
    .map((each) => ({ ...each, coordinate: seats.get(each.name) ?? each.coordinate }))
    .toSorted((one, other) => other.count - one.count);
  return {
    countries: { code: byCount.map(({ name }) => name), ...columnsOf(byCount) },
    towns: {
      name: largest.slice(0, most).map(({ name }) => name),
      ...columnsOf(largest.slice(0, most)),
    },
  };
}

const countryOf = (
  { countryCode }: DirectoryStation,
  region: DirectoryRegion | undefined,
): string | undefined => {
  if (countryCode !== undefined) return countryCode;
  const found = region && lineageOf(region).find(({ kind }) => kind === 'country');
  return found?.code.replace('country:', '');
};

function add<Key>(
  places: Map<Key, Counted>,
  key: Key,
  name: string,
  coordinate: Coordinate,
  country: string | undefined,
): void {
  const known = places.get(key);
  if (known) known.count += 1;
  else places.set(key, { name, count: 1, coordinate, country });
}

const columnsOf = (places: readonly Counted[]): Places => ({
  lat: places.map(({ coordinate }) => Math.round(coordinate.latitude * DEGREE)),
  lon: places.map(({ coordinate }) => Math.round(coordinate.longitude * DEGREE)),
  count: places.map(({ count }) => count),
});
