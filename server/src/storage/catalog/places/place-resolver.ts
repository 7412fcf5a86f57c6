import tzLookup from '@photostructure/tz-lookup';
import { type Coordinate, parseCoordinate } from '../../../lib/geo.ts';
import type { Queryable } from '../../db/pool.ts';
import { parseCountry } from './country-names.ts';
import { addCities, type AtlasCity, loadPlaceAtlas, openPlaceAtlas, type PlaceAtlas } from './place-atlas.ts';
import {
  countriesFor,
  findCountry,
  findNamedCity,
  findNearCity,
  findState,
  findStateElsewhere,
  isNowhere,
  NEAR_KM,
  type SaidPlace,
  trustedCoordinate,
} from './place-search.ts';
import type { CountryRow } from './places.ts';

export interface ResolvedPlace {
  /** The kind of `regionId`. */
  found: 'city' | 'state' | 'country' | 'nothing';
  countryId?: number;
  /** The most specific region that is certain. */
  regionId?: number;
  coordinate?: Coordinate;
  /** The coordinate is the city's, because the record has none of its own. */
  coordinateIsCity?: true;
  /** The record's coordinate was rejected: it is nowhere near the country, or at 0,0. */
  coordinateDropped?: true;
  zone?: string;
}

export interface PlaceResolver {
  resolve(said: SaidPlace): ResolvedPlace;
}

/**
 * Place data in memory for imports, which look up one place per record. One limited to some countries knows no others,
 * and loads faster.
 */
export async function loadPlaceResolver(
  db: Queryable,
  countryCodes?: ReadonlySet<string>,
): Promise<PlaceResolver> {
  const atlas = await loadPlaceAtlas(db, countryCodes);
  return { resolve: (said) => resolvePlace(atlas, said) };
}

/** After so many the rest of the world is read at once: each reading goes over all cities, in 40 ms. */
const MAX_SINGLE_COUNTRIES = 12;

/** One that reads the cities of a country when the first record names it: a short list needs few of 130,000. */
export class LazyPlaceResolver {
  readonly #db: Queryable;
  readonly #atlas: PlaceAtlas;
  readonly #known = new Set<CountryRow>();
  /** One reading after another, so that nothing is read twice. */
  #reading: Promise<void> = Promise.resolve();

  constructor(db: Queryable, atlas: PlaceAtlas) {
    this.#db = db;
    this.#atlas = atlas;
  }

  static async open(db: Queryable): Promise<LazyPlaceResolver> {
    return new LazyPlaceResolver(db, await openPlaceAtlas(db));
  }

  async resolve(said: SaidPlace): Promise<ResolvedPlace> {
    const countries = [...countriesFor(this.#atlas, said)];
    if (countries.some((country) => !this.#known.has(country))) {
      const reading = this.#reading.then(() => this.#read(countries));
      this.#reading = reading.catch(() => undefined);
      await reading;
    }
    return resolvePlace(this.#atlas, said);
  }

  async #read(wanted: readonly CountryRow[]): Promise<void> {
    const isEnough = this.#known.size >= MAX_SINGLE_COUNTRIES;
    const all = isEnough ? [...this.#atlas.countries.values()] : wanted;
    const missing = all.filter((country) => !this.#known.has(country));
    if (missing.length === 0) return;
    await addCities(this.#db, this.#atlas, missing);
    for (const country of missing) this.#known.add(country);
  }
}

export function resolvePlace(atlas: PlaceAtlas, said: SaidPlace): ResolvedPlace {
  const country = findCountry(atlas, said);
  if (!country) return resolveByCoordinate(atlas, said.coordinate);
  const at = trustedCoordinate(atlas, country, said.coordinate);
  const state = findState(atlas, country, said);
  const city =
    findNamedCity(atlas, country, said, state, at?.place) ?? findNearCity(atlas, country, state, at);
  const stateId = state ?? findStateElsewhere(atlas, country, said);
  return {
    found: city ? 'city' : stateId === undefined ? 'country' : 'state',
    countryId: country.id,
    regionId: city?.regionId ?? stateId ?? country.region_id,
    ...coordinateOf(said, at?.place, city),
    ...zoneOf(city?.zone ?? zoneWithoutCity(atlas, country, stateId, at?.place)),
  };
}

function resolveByCoordinate(atlas: PlaceAtlas, at: Coordinate | undefined): ResolvedPlace {
  if (!at) return { found: 'nothing' };
  if (isNowhere(at)) return { found: 'nothing', coordinateDropped: true };
  const city = atlas.findNearestAnywhere(at, NEAR_KM);
  if (!city) return { found: 'nothing', coordinate: at, zone: tzLookup(at.latitude, at.longitude) };
  const { countryId, regionId, zone } = city;
  return { found: 'city', countryId, regionId, coordinate: at, zone };
}

function coordinateOf(
  said: SaidPlace,
  at: Coordinate | undefined,
  city: AtlasCity | undefined,
): Pick<ResolvedPlace, 'coordinate' | 'coordinateIsCity' | 'coordinateDropped'> {
  if (at) return { coordinate: at };
  return {
    ...(city && { coordinate: city.coordinate, coordinateIsCity: true }),
    ...(said.coordinate && { coordinateDropped: true }),
  };
}

function zoneWithoutCity(
  atlas: PlaceAtlas,
  country: CountryRow,
  stateId: number | undefined,
  at: Coordinate | undefined,
): string | undefined {
  if (at) return tzLookup(at.latitude, at.longitude);
  return (stateId === undefined ? undefined : atlas.zoneOfState(stateId)) ?? country.zone ?? undefined;
}

const zoneOf = (zone: string | undefined): Pick<ResolvedPlace, 'zone'> =>
  zone === undefined ? {} : { zone };

/** The coordinate of the operator's own place: `51.9,-8.47`, or a city and its country, `Cork, Ireland`. */
export async function findHomePlace(db: Queryable, text: string): Promise<Coordinate> {
  const coordinate = parseCoordinate(text) ?? (await findCityOf(db, text));
  if (coordinate) return coordinate;
  throw new Error(
    `HOME_PLACE '${text}' is not known; write a city and its country ("Cork, Ireland") or latitude,longitude ` +
      '("51.9,-8.47"), and import the places first: longwave import places',
  );
}

/** `Portland, Oregon, USA` as well as `Cork, Ireland`. */
async function findCityOf(db: Queryable, text: string): Promise<Coordinate | undefined> {
  const [city, ...rest] = text.split(',').map((part) => part.trim());
  const countryCode = parseCountry(rest.pop() ?? '');
  if (countryCode === undefined) return undefined;
  const resolver = await loadPlaceResolver(db, new Set([countryCode]));
  const place = resolver.resolve({ city, state: rest.pop(), countryCode });
  return place.found === 'city' ? place.coordinate : undefined;
}
