import { type AccountPlace, findCity, findPostalCode, parsePostalCode } from '../catalog/account-place.ts';
import {
  type SuggestedPlace,
  findPlace,
  findRegionName,
  suggestPlaces,
} from '../catalog/place-suggestions.ts';
import { type CountryRow, listCountries } from '../catalog/places.ts';
import type { Queryable } from '../db/pool.ts';
import type { SiteAnswer, SiteCall } from '../http/site-endpoint.ts';
import { guideId, numberOf } from '../lib/guide-id.ts';
import type { AccountPlaceRow, AccountRow } from '../members/accounts.ts';
import type { Fields } from './fields.ts';
import type { Desk } from './needs.ts';

const MOST_SUGGESTED = 8;
const LONGEST_TYPED = 100;

/** Places whose names begin with what somebody has typed so far. */
export async function suggest({ query }: SiteCall, { db }: Desk): Promise<SiteAnswer> {
  const text = (query.get('text') ?? '').slice(0, LONGEST_TYPED).replaceAll(/\p{Cc}/gu, ' ');
  const places = await suggestPlaces(db, text, MOST_SUGGESTED);
  return { json: { places: places.map(viewOf) }, maxAgeSeconds: 3600 };
}

const viewOf = (place: SuggestedPlace) => ({
  id: guideId('r', place.id),
  city: place.name,
  state: place.state,
  country: place.country_code,
  countryName: place.country,
  zone: place.zone,
  latitude: place.latitude,
  longitude: place.longitude,
});

/** Where an account is, as its owner is told. */
export async function placeOfAccount(db: Queryable, { region_id: id }: AccountRow): Promise<object | null> {
  if (id === null) return null;
  const city = await findPlace(db, id);
  return city ? viewOf(city) : { id: guideId('r', id), city: (await findRegionName(db, id)) ?? '' };
}

/** By what was chosen among the suggestions, by a postal code, or by a city and a country. */
export async function readPlace(db: Queryable, place: Fields): Promise<AccountPlaceRow> {
  if (place.has('id')) return chosenPlace(db, place);
  const countries = await listCountries(db);
  if (place.has('postal')) return postalPlace(db, place, countries);
  const [city, code] = [place.required('city'), place.required('country').toUpperCase()];
  const country = countries.find((candidate) => candidate.code === code);
  if (!country) throw place.refuse('country', 'Give the country as its two letters, such as DE');
  const found = await findCity(db, country.id, city);
  if (!found)
    throw place.refuse(
      'city',
      'There is no such city in this country; check its spelling, or give a larger one near',
    );
  return rowOf(country.id, found);
}

async function chosenPlace(db: Queryable, place: Fields): Promise<AccountPlaceRow> {
  const id = numberOf('r', place.required('id'));
  const found = id === undefined ? undefined : await findPlace(db, id);
  if (!found || found.latitude === null || found.longitude === null)
    throw place.refuse('id', 'There is no such place; take one of those that places?text= gives');
  const { latitude, longitude, zone, country_id: countryId } = found;
  return { countryId, regionId: found.id, latitude, longitude, zone };
}

async function postalPlace(
  db: Queryable,
  place: Fields,
  countries: readonly CountryRow[],
): Promise<AccountPlaceRow> {
  const text = place.required('postal');
  const code = parsePostalCode(text)?.countryCode;
  const country = countries.find((candidate) => candidate.code === code);
  const found = country && (await findPostalCode(db, country.id, text));
  if (!country || !found)
    throw place.refuse(
      'postal',
      'This is no postal code of the United States or Canada; give a city and a country',
    );
  return rowOf(country.id, found);
}

const rowOf = (countryId: number, { regionId, coordinate, zone }: AccountPlace): AccountPlaceRow => ({
  countryId,
  regionId,
  latitude: coordinate.latitude,
  longitude: coordinate.longitude,
  zone,
});
