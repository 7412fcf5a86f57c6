import type { Coordinate } from '../lib/geo.ts';
import { cleanCoordinate } from './clean-coordinate.ts';
import { cleanCountry } from './clean-country.ts';
import { findPlacelessNetwork, isCredibleCountry } from './flood.ts';
import type { StationRecord } from './record.ts';
import { findCountryOfTags, findStateOfTags } from './tag-places.ts';

export interface CleanPlace {
  countryCode?: string;
  /** Only when it has no code that is known. */
  countryName?: string;
  state?: string;
  city?: string;
  coordinate?: Coordinate;
  coordinateIsCity?: true;
}

/** What is already clean of the same record. */
export interface KnownOfStation {
  name: string;
  tags: readonly string[];
  homepage: string | undefined;
  address: string;
}

/**
 * Where a station is, as far as its record may be believed. A place that the record's country discredits is dropped
 * whole; `network` then says whose channel it is.
 */
export function cleanPlace(
  raw: StationRecord,
  known: KnownOfStation,
): { place: CleanPlace; network?: string } {
  const countryCode = cleanCountry(raw.countryCode, raw.countryName) ?? findCountryOfTags(known.tags);
  const hosts = [hostOf(known.address), hostOf(known.homepage)];
  const network = findPlacelessNetwork(countryCode, hosts);
  if (network) return { place: {}, network };
  const words = [raw.state, raw.city, ...known.tags];
  if (countryCode && !isCredibleCountry({ countryCode, name: known.name, hosts, words }))
    return { place: {} };
  return { place: saidPlace(raw, known.tags, countryCode) };
}

function saidPlace(raw: StationRecord, tags: readonly string[], countryCode: string | undefined): CleanPlace {
  const countryName = countryCode ? undefined : placeName(raw.countryName);
  const state = placeName(raw.state) ?? (countryCode && findStateOfTags(tags, countryCode));
  const city = placeName(raw.city);
  const at = raw.coordinate && cleanCoordinate(raw.coordinate.latitude, raw.coordinate.longitude);
  return {
    ...(countryCode ? { countryCode } : {}),
    ...(countryName ? { countryName } : {}),
    ...(state ? { state } : {}),
    ...(city ? { city } : {}),
    ...(at ? { coordinate: at } : {}),
    ...(at && raw.coordinateIsCity ? { coordinateIsCity: true as const } : {}),
  };
}

/** The name of a place: one line, with a letter in it. */
function placeName(text: string | undefined): string | undefined {
  const line = text
    ?.slice(0, 200)
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, 100);
  return line && /\p{L}/u.test(line) ? line : undefined;
}

/** The host of a cleaned address. */
const hostOf = (address: string | undefined): string | undefined =>
  address && /^https?:\/\/([^/:?]+)/.exec(address)?.[1];
