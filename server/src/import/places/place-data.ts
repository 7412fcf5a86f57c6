import { type CityRecord, readCities } from './cities.ts';
import { type CountryRecord, listCountryRecords } from './countries.ts';
import { type CurrentCity, readCurrentCities } from './current-states.ts';
import { type LanguageRecord, listLanguageRecords } from './languages.ts';
import { type PostalRecord, listPostalRecords } from './postal-codes.ts';
import { type StateRecord, listStateRecords } from './states.ts';

/** All that an import of places reads. */
export interface PlaceData {
  countries: readonly CountryRecord[];
  states: readonly StateRecord[];
  languages: readonly LanguageRecord[];
  /** Read twice: once for a survey, once to be written. */
  readCities(): Iterable<CityRecord>;
  readCurrentCities(): AsyncIterable<CurrentCity>;
  listPostalRecords(): Iterable<PostalRecord>;
}

/** What the packages give: no network is needed. */
export const packagedPlaces = (): PlaceData => ({
  countries: listCountryRecords(),
  states: listStateRecords(),
  languages: listLanguageRecords(),
  readCities,
  readCurrentCities,
  listPostalRecords,
});
