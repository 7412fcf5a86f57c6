import tzLookup from '@photostructure/tz-lookup';
import type { PlaceResolver } from '../../../storage/catalog/places/place-resolver.ts';
import { type CityRecord, readCityFile } from './cities.ts';
import { CONTINENTS, type CountryRecord, listCountryRecords } from './countries.ts';
import {
  type CurrentCity,
  type CurrentStates,
  listStateRecords,
  readCurrentCities,
  type StateRecord,
} from './current-states.ts';
import type { CityRecordRow, CountryRecordRow, PostalRow, RegionRecordRow } from './intakes.ts';
import { type LanguageRecord, listLanguageRecords } from './languages.ts';
import { listPostalRecords, type PostalRecord } from './postal-codes.ts';

type Region = { region: RegionRecordRow };

export const ROOT: Region = { region: { id: 0, kind: 'root', code: 'root', name: 'By Location' } };

export const continentRows = (): Region[] =>
  CONTINENTS.map(({ id, code, name }) => ({
    region: { id, kind: 'continent', code: `continent:${code}`, name, parentCode: 'root' },
  }));

/** A country's coordinate is that of its largest city, where a listener who says no more most likely is. */
export function countryRows({ countries }: PlaceData, { largest }: Survey): CountryRecordRow[] {
  return countries.map(({ code: countryCode, name, continent, languages, coordinate }) => {
    const city = largest.get(countryCode);
    const place = city?.place ?? coordinate;
    if (!place) throw new Error(`country ${countryCode} has no city; give it a coordinate in countries.ts`);
    const zone = city?.zone ?? tzLookup(place.latitude, place.longitude);
    const parentCode = `continent:${continent}`;
    const region: RegionRecordRow = {
      kind: 'country',
      code: `country:${countryCode}`,
      name,
      parentCode,
      place,
    };
    return { region, countryCode, languages, zone };
  });
}

export function stateRows({ states }: PlaceData, { largest }: Survey): Region[] {
  return states.map(({ code, name }) => {
    const place = largest.get(code)?.place;
    const parentCode = `country:${code.split('.', 1)[0]}`;
    return { region: { kind: 'state', code: `state:${code}`, name, parentCode, ...(place && { place }) } };
  });
}

export function* cityRows(data: PlaceData, { stateOf }: Survey): Generator<CityRecordRow> {
  for (const city of data.readCities()) {
    const { geonameId, name, place, countryCode } = city;
    const stateCode = stateOf(city);
    const parentCode = stateCode ? `state:${stateCode}` : `country:${countryCode}`;
    yield { region: { kind: 'city', code: `city:${geonameId}`, name, parentCode, place }, city, stateCode };
  }
}

/** A postal code belongs to the city that its line names, or else to the nearest. */
export function* postalRows(records: readonly PostalRecord[], places: PlaceResolver): Generator<PostalRow> {
  for (const record of records) {
    const { placeCountryCode: countryCode, state, city, place: coordinate } = record;
    const { regionId, zone } = places.resolve({ countryCode, state, city, coordinate });
    if (regionId === undefined) continue;
    yield { record, regionId, zone: zone ?? tzLookup(coordinate.latitude, coordinate.longitude) };
  }
}

/** What must be known about all cities before the first place is written. */
interface Survey {
  cityCount: number;
  /** The largest city, by country or state code. */
  largest: ReadonlyMap<string, Pick<CityRecord, 'place' | 'population' | 'zone'>>;
  /** The code of a city's current state; undefined when it is in none. */
  stateOf: (city: CityRecord) => string | undefined;
}

export function surveyCities(cities: Iterable<CityRecord>, states: CurrentStates): Survey {
  let cityCount = 0;
  const largest = new Map<string, CityRecord>();
  // Only the cities whose state differs from the one in their line, about 1 in 90, so that the list is searched once.
  const moved = new Map<number, string | undefined>();
  for (const city of cities) {
    const state = states.find(city);
    if (state !== city.stateCode) moved.set(city.geonameId, state);
    for (const code of state ? [city.countryCode, state] : [city.countryCode])
      keepLarger(largest, code, city);
    cityCount += 1;
  }
  const stateOf = (city: CityRecord): string | undefined =>
    moved.has(city.geonameId) ? moved.get(city.geonameId) : city.stateCode;
  return { cityCount, largest, stateOf };
}

function keepLarger(largest: Map<string, CityRecord>, code: string, city: CityRecord): void {
  const before = largest.get(code);
  if (!before || city.population > before.population) largest.set(code, city);
}

/** Everything an import of places reads. */
export interface PlaceData {
  countries: readonly CountryRecord[];
  states: readonly StateRecord[];
  languages: readonly LanguageRecord[];
  /** Read twice: once for the survey, once to be written. */
  readCities(): Iterable<CityRecord>;
  readCurrentCities(): AsyncIterable<CurrentCity>;
  listPostalRecords(): Iterable<PostalRecord>;
}

/** From the packages; no network is needed. */
export const packagedPlaces = (): PlaceData => ({
  countries: listCountryRecords(),
  states: listStateRecords(),
  languages: listLanguageRecords(),
  readCities: readCityFile,
  readCurrentCities,
  listPostalRecords,
});
