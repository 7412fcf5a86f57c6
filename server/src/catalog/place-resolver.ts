import tzLookup from '@photostructure/tz-lookup';
import type { Queryable } from '../db/pool.ts';
import { type Coordinate, distanceKm } from '../lib/geo.ts';
import { OTHER_NAME_WEIGHT } from './account-place.ts';
import { parseCountry } from './country-names.ts';
import {
  type AtlasCity,
  type NamedCity,
  type NearCity,
  type PlaceAtlas,
  loadPlaceAtlas,
} from './place-atlas.ts';
import { placeKey } from './place-key.ts';
import type { CountryRow } from './places.ts';

/** Where a source says that something is, in its own words. */
export interface SaidPlace {
  countryCode?: string | undefined;
  countryName?: string | undefined;
  state?: string | undefined;
  city?: string | undefined;
  coordinate?: Coordinate | undefined;
}

export interface ResolvedPlace {
  /** What `regionId` is. */
  found: 'city' | 'state' | 'country' | 'nothing';
  countryId?: number;
  /** The finest region that is certain. */
  regionId?: number;
  coordinate?: Coordinate;
  /** The coordinate is the city's, for want of one of its own. */
  coordinateIsCity?: true;
  /** A coordinate was said but is left out: it is nowhere near the country, or at 0,0. */
  coordinateDropped?: true;
  zone?: string;
}

export interface PlaceResolver {
  resolve(said: SaidPlace): ResolvedPlace;
}

/**
 * What is known of places, in memory: for imports, which ask it once a record. A resolver for some countries knows no
 * other, which saves it three seconds and 30 MB.
 */
export async function loadPlaceResolver(
  db: Queryable,
  countryCodes?: ReadonlySet<string>,
): Promise<PlaceResolver> {
  const atlas = await loadPlaceAtlas(db, countryCodes);
  return { resolve: (said) => resolvePlace(atlas, said) };
}

/** Farther than this from every city of its country, a coordinate is a mistake. */
const TRUSTED_KM = 300;
/** As far as a station is still called one of the nearest city. */
const NEAR_KM = 50;

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

function findCountry(atlas: PlaceAtlas, { countryCode, countryName }: SaidPlace): CountryRow | undefined {
  const code = parseCountry(countryCode ?? '') ?? parseCountry(countryName ?? '');
  return code === undefined ? undefined : atlas.countries.get(code);
}

function resolveByCoordinate(atlas: PlaceAtlas, at: Coordinate | undefined): ResolvedPlace {
  if (!at) return { found: 'nothing' };
  if (isNowhere(at)) return { found: 'nothing', coordinateDropped: true };
  const city = atlas.findNearestAnywhere(at, NEAR_KM);
  if (!city) return { found: 'nothing', coordinate: at, zone: tzLookup(at.latitude, at.longitude) };
  const { countryId, regionId, zone } = city;
  return { found: 'city', countryId, regionId, coordinate: at, zone };
}

/** What forms and databases write for "unknown". */
const isNowhere = ({ latitude, longitude }: Coordinate): boolean => latitude === 0 && longitude === 0;

/** A coordinate that is believed, with the nearest city of the country; a country without cities cannot contradict it. */
interface TrustedCoordinate {
  place: Coordinate;
  near: NearCity | undefined;
}

function trustedCoordinate(
  atlas: PlaceAtlas,
  { id }: CountryRow,
  place: Coordinate | undefined,
): TrustedCoordinate | undefined {
  if (!place || isNowhere(place)) return undefined;
  const near = atlas.findNearest(id, place, TRUSTED_KM);
  return near || !atlas.hasCities(id) ? { place, near } : undefined;
}

function findState(atlas: PlaceAtlas, { code }: CountryRow, { state }: SaidPlace): number | undefined {
  return state === undefined ? undefined : atlas.states.find(code, state);
}

/** A part of a state in the field for states, or a state in the field for cities. */
function findStateElsewhere(atlas: PlaceAtlas, { code }: CountryRow, said: SaidPlace): number | undefined {
  const around = said.state === undefined ? undefined : atlas.states.findAround(code, said.state);
  return around ?? (said.city === undefined ? undefined : atlas.states.find(code, said.city));
}

/** The field for states often holds a city, so what is no state is looked for among them. */
function findNamedCity(
  atlas: PlaceAtlas,
  country: CountryRow,
  said: SaidPlace,
  state: number | undefined,
  at: Coordinate | undefined,
): NamedCity | undefined {
  const around = state ?? findStateElsewhere(atlas, country, { state: said.state });
  for (const text of cityNames(said.city)) {
    const city = chooseCity(atlas.listByName(country.id, placeKey(text)), around, at);
    if (city) return city;
  }
  if (state !== undefined || said.state === undefined) return undefined;
  return findNamedCity(atlas, country, { city: said.state }, undefined, at);
}

/** "Köln (Cologne)", "Portland, OR" and "Lyon / Paris" name a city in their first part. */
function cityNames(text: string | undefined): string[] {
  if (!text) return [];
  const [first = ''] = text.split(/[,;/(|]| - /, 1);
  return first === text || first.trim() === '' ? [text] : [text, first];
}

/**
 * Of several cities with one name: those in the named state, or at least near the coordinate; of these the ones about as
 * near as the nearest; and of these the largest.
 */
function chooseCity(
  named: readonly NamedCity[],
  stateId: number | undefined,
  at: Coordinate | undefined,
): NamedCity | undefined {
  let left = stateId === undefined ? named : named.filter((city) => city.stateId === stateId);
  if (left.length === 0 && at) left = within(named, at, NEAR_KM);
  if (at) left = within(left, at, Math.min(...left.map((city) => distanceKm(city.coordinate, at))) + NEAR_KM);
  return left.toSorted((a, b) => weightOf(b) - weightOf(a))[0];
}

const weightOf = ({ population, byFirstName }: NamedCity): number =>
  (population + 1) * (byFirstName ? 1 : OTHER_NAME_WEIGHT);

const within = (cities: readonly NamedCity[], at: Coordinate, radiusKm: number): NamedCity[] =>
  cities.filter((city) => distanceKm(city.coordinate, at) <= radiusKm);

function findNearCity(
  atlas: PlaceAtlas,
  { id }: CountryRow,
  stateId: number | undefined,
  at: TrustedCoordinate | undefined,
): AtlasCity | undefined {
  if (!at?.near || at.near.distanceKm > NEAR_KM) return undefined;
  if (stateId === undefined || at.near.stateId === stateId) return at.near;
  return atlas.findNearest(id, at.place, NEAR_KM, stateId);
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
