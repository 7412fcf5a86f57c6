import tzLookup from '@photostructure/tz-lookup';
import type { Queryable } from '../db/pool.ts';
import type { Coordinate } from '../lib/geo.ts';
import { type AtlasCity, type PlaceAtlas, loadPlaceAtlas } from './place-atlas.ts';
import {
  NEAR_KM,
  type SaidPlace,
  findCountry,
  findNamedCity,
  findNearCity,
  findState,
  findStateElsewhere,
  isNowhere,
  trustedCoordinate,
} from './place-search.ts';
import type { CountryRow } from './places.ts';

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
 * What is known of places, in memory: for imports, which ask it once a record. One for some
 * countries knows no other, and is the sooner loaded.
 */
export async function loadPlaceResolver(
  db: Queryable,
  countryCodes?: ReadonlySet<string>,
): Promise<PlaceResolver> {
  const atlas = await loadPlaceAtlas(db, countryCodes);
  return { resolve: (said) => resolvePlace(atlas, said) };
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
