import { around } from 'geokdbush';
import KDBush from 'kdbush';
import { type Coordinate, distanceKm } from '../../../lib/geo.ts';
import type { Queryable } from '../../db/pool.ts';
import { NameTable } from './name-table.ts';
import { type CityRow, type CountryRow, listCountries, listStates, readCities } from './places.ts';
import { StateNames } from './state-names.ts';

export interface AtlasCity {
  regionId: number;
  countryId: number;
  stateId: number | undefined;
  coordinate: Coordinate;
  population: number;
  zone: string;
}

export interface NamedCity extends AtlasCity {
  /** Whether it was found by its first name, not by one of its other names. */
  byFirstName: boolean;
}

export interface NearCity extends AtlasCity {
  distanceKm: number;
}

/** The cities of one country: their indexes in the atlas, and the tree that finds the nearest, built on first use. */
interface CountryCities {
  cities: number[];
  tree?: KDBush;
}

/**
 * Countries, states and cities in memory, packed: one numeric column per property of a city. The 130,000 cities with
 * their 600,000 names take about 30 MB this way, and several times that as objects.
 */
export class PlaceAtlas {
  readonly countries: ReadonlyMap<string, CountryRow>;
  readonly states: StateNames;
  #regionIds: number[] = [];
  #countryIds: number[] = [];
  #stateIds: number[] = [];
  #latitudes: number[] = [];
  #longitudes: number[] = [];
  #populations: number[] = [];
  #zones: string[] = [];
  #zoneNames = new Map<string, string>();
  #names = new NameTable();
  #byCountry = new Map<number, CountryCities>();
  #largestOfState = new Map<number, number>();

  constructor(countries: readonly CountryRow[], states: StateNames) {
    this.countries = new Map(countries.map((country) => [country.code, country]));
    this.states = states;
  }

  add(row: CityRow): void {
    if (row.latitude === null || row.longitude === null) return;
    const city = this.#regionIds.push(row.id) - 1;
    this.#countryIds.push(row.country_id);
    this.#stateIds.push(row.state_id ?? -1);
    this.#latitudes.push(row.latitude);
    this.#longitudes.push(row.longitude);
    this.#populations.push(row.population);
    this.#zones.push(this.#sameZone(row.zone));
    this.#names.add(row.country_id, row.name_key, city * 2 + 1);
    for (const name of row.other_name_keys) this.#names.add(row.country_id, name, city * 2);
    this.#byCountry.getOrInsertComputed(row.country_id, () => ({ cities: [] })).cities.push(city);
    this.#rememberLargest(row, city);
  }

  listByName(countryId: number, nameKey: string): NamedCity[] {
    return this.#names
      .list(countryId, nameKey)
      .map((value) => ({ ...this.#city(value >> 1), byFirstName: (value & 1) === 1 }));
  }

  /** The nearest city of a country within a distance, optionally limited to one state. */
  findNearest(
    countryId: number,
    place: Coordinate,
    withinKm: number,
    stateId?: number,
  ): NearCity | undefined {
    const own = this.#byCountry.get(countryId);
    if (!own) return undefined;
    own.tree ??= this.#buildTree(own.cities);
    const inState =
      stateId === undefined
        ? undefined
        : (item: number): boolean => this.#stateIds[own.cities[item] ?? -1] === stateId;
    const [item] = around(own.tree, place.longitude, place.latitude, 1, withinKm, inState);
    const city = item === undefined ? undefined : own.cities[item];
    if (city === undefined) return undefined;
    const found = this.#city(city);
    return { ...found, distanceKm: distanceKm(place, found.coordinate) };
  }

  /** The nearest city of any country: a scan of all of them, for the few records without a country. */
  findNearestAnywhere(place: Coordinate, withinKm: number): NearCity | undefined {
    let nearest: NearCity | undefined;
    // In the order of their ids, whatever was loaded first.
    for (const countryId of [...this.#byCountry.keys()].toSorted((a, b) => a - b)) {
      const city = this.findNearest(countryId, place, nearest?.distanceKm ?? withinKm);
      if (city && city.distanceKm <= (nearest?.distanceKm ?? withinKm)) nearest = city;
    }
    return nearest;
  }

  hasCities(countryId: number): boolean {
    return this.#byCountry.has(countryId);
  }

  /** A state has the time zone of its largest city. */
  zoneOfState(stateId: number): string | undefined {
    const city = this.#largestOfState.get(stateId);
    return city === undefined ? undefined : this.#zones[city];
  }

  #city(city: number): AtlasCity {
    const stateId = this.#stateIds[city] ?? -1;
    return {
      regionId: this.#regionIds[city] ?? 0,
      countryId: this.#countryIds[city] ?? 0,
      stateId: stateId === -1 ? undefined : stateId,
      coordinate: { latitude: this.#latitudes[city] ?? 0, longitude: this.#longitudes[city] ?? 0 },
      population: this.#populations[city] ?? 0,
      zone: this.#zones[city] ?? '',
    };
  }

  #buildTree(cities: readonly number[]): KDBush {
    const tree = new KDBush(cities.length);
    for (const city of cities) tree.add(this.#longitudes[city] ?? 0, this.#latitudes[city] ?? 0);
    return tree.finish();
  }

  /** One string per zone, however many cities are in it. */
  #sameZone(zone: string): string {
    const known = this.#zoneNames.get(zone);
    if (known === undefined) this.#zoneNames.set(zone, zone);
    return known ?? zone;
  }

  #rememberLargest({ state_id: stateId, population }: CityRow, city: number): void {
    if (stateId === null) return;
    const before = this.#largestOfState.get(stateId);
    if (before === undefined || population > (this.#populations[before] ?? 0)) {
      this.#largestOfState.set(stateId, city);
    }
  }
}

/** For all countries, or only for those with the given codes. */
export async function loadPlaceAtlas(db: Queryable, countryCodes?: ReadonlySet<string>): Promise<PlaceAtlas> {
  const atlas = await openPlaceAtlas(db, countryCodes);
  await addCities(db, atlas, [...atlas.countries.values()]);
  return atlas;
}

/** With countries and states, and no city yet. */
export async function openPlaceAtlas(db: Queryable, countryCodes?: ReadonlySet<string>): Promise<PlaceAtlas> {
  const states = await listStates(db);
  const names = new StateNames(
    states.map(({ id, code, name }) => ({ id, code: code.slice('state:'.length), name })),
  );
  const countries = await listCountries(db);
  return new PlaceAtlas(
    countries.filter(({ code }) => countryCodes?.has(code) ?? true),
    names,
  );
}

export async function addCities(
  db: Queryable,
  atlas: PlaceAtlas,
  countries: readonly CountryRow[],
): Promise<void> {
  const ids = countries.map(({ id }) => id);
  for await (const city of readCities(db, ids)) atlas.add(city);
}
