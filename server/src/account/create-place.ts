import {
  type AccountPlace,
  findCity,
  findPostalCode,
  isAboutThere,
  parsePostalCode,
} from '../catalog/account-place.ts';
import { type CountryRow, listCountries } from '../catalog/places.ts';
import type { Queryable } from '../db/pool.ts';
import type { Params } from '../http/params.ts';
import { Fault } from '../lib/fault.ts';
import { numberOf } from '../lib/guide-id.ts';
import type { AccountPlaceRow } from '../members/accounts.ts';

/** Where the postal codes are known. */
const POSTAL_COUNTRIES = ['US', 'CA'];

/** By a postal code of the United States or Canada, else by city and country. */
export async function findPlace(db: Queryable, params: Params): Promise<AccountPlaceRow> {
  const countries = await listCountries(db);
  const country = readCountry(params.text('countryid'), countries);
  const postalCode = params.text('postalcode');
  const isPostal = postalCode !== undefined && (!country || POSTAL_COUNTRIES.includes(country.code));
  return isPostal
    ? placeByPostalCode(db, postalCode, params.text('city'), { countries, country })
    : placeByCity(db, params.text('city'), country);
}

function readCountry(
  countryId: string | undefined,
  countries: readonly CountryRow[],
): CountryRow | undefined {
  if (countryId === undefined) return undefined;
  const country = countries.find(({ id }) => id === numberOf('n', countryId));
  if (!country)
    throw invalid("The 'countryId' is none of those that Describe.ashx?c=countries gives, such as n1");
  return country;
}

interface Countries {
  countries: readonly CountryRow[];
  country: CountryRow | undefined;
}

async function placeByPostalCode(
  db: Queryable,
  text: string,
  city: string | undefined,
  { countries, country }: Countries,
): Promise<AccountPlaceRow> {
  const code = parsePostalCode(text)?.countryCode;
  const meant = countries.find((candidate) => candidate.code === code);
  const isElsewhere = country !== undefined && country.code !== code;
  const place = meant && !isElsewhere ? await findPostalCode(db, meant.id, text) : undefined;
  if (!meant || !place)
    throw invalid("The 'postalCode' is none of the United States or Canada; give 'city' and 'countryId'");
  if (city !== undefined && !(await isAboutThere(db, meant.id, city, place)))
    throw invalid(
      `The 'postalCode' is in ${place.city}, and the 'city' is elsewhere; correct one, or send one`,
    );
  return rowOf(meant, place);
}

async function placeByCity(
  db: Queryable,
  city: string | undefined,
  country: CountryRow | undefined,
): Promise<AccountPlaceRow> {
  if (city === undefined || !country)
    throw invalid("Give a 'postalCode' of the United States or Canada, or a 'city' and a 'countryId'");
  const place = await findCity(db, country.id, city);
  if (!place)
    throw invalid("There is no such 'city' in this country; check its spelling, or give a larger one near");
  return rowOf(country, place);
}

const rowOf = (country: CountryRow, { regionId, coordinate, zone }: AccountPlace): AccountPlaceRow => ({
  countryId: country.id,
  regionId,
  latitude: coordinate.latitude,
  longitude: coordinate.longitude,
  zone,
});

const invalid = (message: string): Fault => new Fault(400, 'validation.location', message);
