import {
  isDevicePassword,
  isEmail,
  isReservedName,
  isUsername,
} from '../../../core/accounts/account-form.ts';
import type { AccountPlaceRow } from '../../../core/accounts/accounts.ts';
import { Fault } from '../../../lib/fault.ts';
import { numberOf } from '../../../lib/guide-id.ts';
import {
  type AccountPlace,
  findCity,
  findPostalCode,
  isAboutThere,
  parsePostalCode,
} from '../../../storage/catalog/places/account-place.ts';
import { type CountryRow, listCountries } from '../../../storage/catalog/places/places.ts';
import type { Queryable } from '../../../storage/db/pool.ts';
import type { Params } from '../call/params.ts';

/** Countries whose postal codes we have. */
const POSTAL_COUNTRIES = ['US', 'CA'];

/** By a US or Canadian postal code, otherwise by city and country. */
export async function findAccountPlace(db: Queryable, params: Params): Promise<AccountPlaceRow> {
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
  if (!country) throw invalid("Unknown 'countryId': use one from Describe.ashx?c=countries, such as n1");
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
    throw invalid(
      "The 'postalCode' is not in the United States or Canada; give 'city' and 'countryId' instead",
    );
  if (city !== undefined && !(await isAboutThere(db, meant.id, city, place)))
    throw invalid(
      `The 'postalCode' is in ${place.city}, not in the 'city'; correct one of them, or send only one`,
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
    throw invalid("The 'city' is unknown in this country; check its spelling, or give a larger one nearby");
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

/** The fields of a registration, validated. */
export interface CreateForm {
  username: string;
  password: string;
  email: string;
}

/** Reports the first error in this order. */
export function readCreateForm(params: Params): CreateForm {
  const username = params.text('username') ?? '';
  if (!isUsername(username))
    throw new Fault(400, 'validation.error', "The 'username' must be 1 to 12 letters and digits (a-z, 0-9)");
  if (isReservedName(username))
    throw new Fault(400, 'validation.error', 'This username is reserved; choose another');
  const password = params.text('password') ?? '';
  if (!isDevicePassword(password))
    throw new Fault(
      400,
      'validation.password',
      "The 'password' must be 4 to 12 letters, digits or symbols, without spaces or accents",
    );
  return { username, password, email: readEmailParam(params) };
}

export function readEmailParam(params: Params): string {
  const email = params.text('email') ?? '';
  if (!isEmail(email))
    throw new Fault(400, 'validation.email', "The 'email' must be an address such as ann@mail.example");
  return email;
}
