import type { Queryable } from '../db/pool.ts';
import { parseCoordinate, type Coordinate } from '../lib/geo.ts';
import { loadPlaceResolver } from './place-resolver.ts';

/** The coordinate of the operator's own place: `51.9,-8.47`, or a city and its country, `Cork, Ireland`. */
export async function findHomePlace(
  db: Queryable,
  text: string | undefined,
): Promise<Coordinate | undefined> {
  if (text === undefined) return undefined;
  const given = parseCoordinate(text);
  if (given) return given;
  const [city, ...rest] = text.split(',').map((part) => part.trim());
  const resolver = await loadPlaceResolver(db);
  const { coordinate } = resolver.resolve({
    city,
    countryName: rest.at(-1),
    state: rest.length > 1 ? rest[0] : undefined,
  });
  if (coordinate) return coordinate;
  throw new Error(
    `HOME_PLACE '${text}' is not known; write a city and its country ("Cork, Ireland") or latitude,longitude ("51.9,-8.47"), and import the places first: longwave import places`,
  );
}
