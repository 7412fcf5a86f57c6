import type { Queryable } from '../db/pool.ts';
import { parseCoordinate, type Coordinate } from '../lib/geo.ts';
import { parseCountry } from './country-names.ts';
import { loadPlaceResolver } from './place-resolver.ts';

/** The coordinate of the operator's own place: `51.9,-8.47`, or a city and its country, `Cork, Ireland`. */
export async function findHomePlace(db: Queryable, text: string): Promise<Coordinate> {
  const coordinate = parseCoordinate(text) ?? (await findCityOf(db, text));
  if (coordinate) return coordinate;
  throw new Error(
    `HOME_PLACE '${text}' is not known; write a city and its country ("Cork, Ireland") or latitude,longitude ` +
      '("51.9,-8.47"), and import the places first: longwave import places',
  );
}

/** `Portland, Oregon, USA` as well as `Cork, Ireland`. */
async function findCityOf(db: Queryable, text: string): Promise<Coordinate | undefined> {
  const [city, ...rest] = text.split(',').map((part) => part.trim());
  const countryCode = parseCountry(rest.pop() ?? '');
  if (countryCode === undefined) return undefined;
  const resolver = await loadPlaceResolver(db, new Set([countryCode]));
  const place = resolver.resolve({ city, state: rest.pop(), countryCode });
  return place.found === 'city' ? place.coordinate : undefined;
}
