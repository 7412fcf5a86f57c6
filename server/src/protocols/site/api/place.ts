import type { AccountPlaceRow, AccountRow } from '../../../core/accounts/accounts.ts';
import { guideId, numberOf } from '../../../lib/guide-id.ts';
import {
  type AccountPlace,
  findCity,
  findPostalCode,
  parsePostalCode,
} from '../../../storage/catalog/places/account-place.ts';
import {
  type CountryRow,
  findPlace,
  findRegionName,
  listCountries,
  type SuggestedPlace,
  suggestPlaces,
} from '../../../storage/catalog/places/places.ts';
import type { Queryable } from '../../../storage/db/pool.ts';
import type { SiteAnswer, SiteCall } from '../session/site-endpoint.ts';
import type { Fields } from './fields.ts';
import type { SiteApiContext } from './deps.ts';

const MAX_SUGGESTED = 8;
const MAX_TYPED_LENGTH = 100;

/** Places whose names begin with the typed text. */
export async function suggest({ query }: SiteCall, { db }: SiteApiContext): Promise<SiteAnswer> {
  const text = (query.get('text') ?? '').slice(0, MAX_TYPED_LENGTH).replaceAll(/\p{Cc}/gu, ' ');
  const places = await suggestPlaces(db, text, MAX_SUGGESTED);
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

/** An account's place, as shown to its owner. */
export async function placeOfAccount(db: Queryable, { region_id: id }: AccountRow): Promise<object | null> {
  if (id === null) return null;
  const city = await findPlace(db, id);
  return city ? viewOf(city) : { id: guideId('r', id), city: (await findRegionName(db, id)) ?? '' };
}

/** By the id of a suggestion, by postal code, or by city and country. */
export async function readPlaceField(db: Queryable, place: Fields): Promise<AccountPlaceRow> {
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
      'This city is unknown in this country; check its spelling, or give a larger one nearby',
    );
  return rowOf(country.id, found);
}

async function chosenPlace(db: Queryable, place: Fields): Promise<AccountPlaceRow> {
  const id = numberOf('r', place.required('id'));
  const found = id === undefined ? undefined : await findPlace(db, id);
  if (!found || found.latitude === null || found.longitude === null)
    throw place.refuse('id', 'Unknown place; use an id from places?text=');
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
      'This is not a postal code of the United States or Canada; give a city and a country',
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
