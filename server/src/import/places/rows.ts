import tzLookup from '@photostructure/tz-lookup';
import type { PlaceResolver } from '../../catalog/place-resolver.ts';
import type { CityRow } from './city-intake.ts';
import { CONTINENTS } from './continents.ts';
import type { CountryRow } from './country-intake.ts';
import type { PlaceData } from './place-data.ts';
import type { PostalRecord } from './postal-codes.ts';
import type { PostalRow } from './postal-intake.ts';
import type { RegionRow } from './region-intake.ts';
import type { Survey } from './survey.ts';

type Region = { region: RegionRow };

export const ROOT: Region = { region: { id: 0, kind: 'root', code: 'root', name: 'By Location' } };

export const continentRows = (): Region[] =>
  CONTINENTS.map(({ id, code, name }) => ({
    region: { id, kind: 'continent', code: `continent:${code}`, name, parentCode: 'root' },
  }));

/** A country is where its largest city is: that is where a listener who says no more most likely is. */
export function countryRows({ countries }: PlaceData, { largest }: Survey): CountryRow[] {
  return countries.map(({ code: countryCode, name, continent, languages, coordinate }) => {
    const city = largest.get(countryCode);
    const place = city?.place ?? coordinate;
    if (!place) throw new Error(`country ${countryCode} has no city; give it a coordinate in countries.ts`);
    const zone = city?.zone ?? tzLookup(place.latitude, place.longitude);
    const parentCode = `continent:${continent}`;
    const region: RegionRow = { kind: 'country', code: `country:${countryCode}`, name, parentCode, place };
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

export function* cityRows(data: PlaceData, { stateOf }: Survey): Generator<CityRow> {
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
