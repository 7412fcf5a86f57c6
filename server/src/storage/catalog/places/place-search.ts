import { type Coordinate, distanceKm } from '../../../lib/geo.ts';
import { OTHER_NAME_WEIGHT } from './account-place.ts';
import { parseCountry, TERRITORIES } from './country-names.ts';
import { placeKey } from './name-table.ts';
import type { AtlasCity, NamedCity, NearCity, PlaceAtlas } from './place-atlas.ts';
import type { CountryRow } from './places.ts';

/** A place as a source describes it. */
export interface SaidPlace {
  countryCode?: string | undefined;
  countryName?: string | undefined;
  state?: string | undefined;
  city?: string | undefined;
  coordinate?: Coordinate | undefined;
}

/** A coordinate farther than this from every city of its country is an error. */
const TRUSTED_KM = 300;
/** Up to this distance a station is assigned to the nearest city. */
export const NEAR_KM = 50;

/** The country that is named, which may turn out to be one of its territories. */
const namedCountry = (atlas: PlaceAtlas, said: SaidPlace): CountryRow | undefined =>
  atlas.countries.get(parseCountry(said.countryCode ?? '') ?? parseCountry(said.countryName ?? '') ?? '');

/** The countries whose cities have to be known to find this place: all of them for a point alone. */
export function countriesFor(atlas: PlaceAtlas, said: SaidPlace): Iterable<CountryRow> {
  const country = namedCountry(atlas, said);
  if (!country) return said.coordinate ? atlas.countries.values() : [];
  return [country, ...territoriesOf(atlas, country)];
}

const territoriesOf = (atlas: PlaceAtlas, { code }: CountryRow): CountryRow[] =>
  (TERRITORIES.get(code) ?? []).flatMap((each) => atlas.countries.get(each) ?? []);

export function findCountry(atlas: PlaceAtlas, said: SaidPlace): CountryRow | undefined {
  const country = namedCountry(atlas, said);
  return country && (findTerritory(atlas, country, said) ?? country);
}

/** "Puerto Rico" as a state of the United States, or a coordinate on Réunion in France. */
function findTerritory(atlas: PlaceAtlas, country: CountryRow, said: SaidPlace): CountryRow | undefined {
  const { state, coordinate: at } = said;
  const territories = territoriesOf(atlas, country);
  if (territories.length === 0) return undefined;
  const named = state === undefined ? undefined : parseCountry(state);
  const territory = territories.find(({ code }) => code === named);
  if (territory || !at || atlas.findNearest(country.id, at, TRUSTED_KM)) return territory;
  return territories.find(({ id }) => atlas.findNearest(id, at, NEAR_KM));
}

/** What forms and databases store for "unknown". */
export const isNowhere = ({ latitude, longitude }: Coordinate): boolean => latitude === 0 && longitude === 0;

/** A plausible coordinate, with the nearest city of the country; a country without cities cannot contradict it. */
export interface TrustedCoordinate {
  place: Coordinate;
  near: NearCity | undefined;
}

export function trustedCoordinate(
  atlas: PlaceAtlas,
  { id }: CountryRow,
  place: Coordinate | undefined,
): TrustedCoordinate | undefined {
  if (!place || isNowhere(place)) return undefined;
  const near = atlas.findNearest(id, place, TRUSTED_KM);
  return near || !atlas.hasCities(id) ? { place, near } : undefined;
}

export function findState(atlas: PlaceAtlas, { code }: CountryRow, { state }: SaidPlace): number | undefined {
  return state === undefined ? undefined : atlas.states.find(code, state);
}

/** A part of a state in the state field, or a state in the city field. */
export function findStateElsewhere(
  atlas: PlaceAtlas,
  { code }: CountryRow,
  said: SaidPlace,
): number | undefined {
  const around = said.state === undefined ? undefined : atlas.states.findAround(code, said.state);
  return around ?? (said.city === undefined ? undefined : atlas.states.find(code, said.city));
}

/** The state field often contains a city, so text that is not a state is looked up as a city. */
export function findNamedCity(
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
 * Of several cities with one name: those in the named state, or at least near the coordinate; of these the ones about
 * as near as the nearest; and of these the largest.
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

export function findNearCity(
  atlas: PlaceAtlas,
  { id }: CountryRow,
  stateId: number | undefined,
  at: TrustedCoordinate | undefined,
): AtlasCity | undefined {
  if (!at?.near || at.near.distanceKm > NEAR_KM) return undefined;
  if (stateId === undefined || at.near.stateId === stateId) return at.near;
  return atlas.findNearest(id, at.place, NEAR_KM, stateId);
}
