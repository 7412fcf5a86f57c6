import type { Queryable } from '../db/pool.ts';
import { type RowOf, statement } from '../db/statement.ts';
import { placeKey } from './place-key.ts';

const PLACE = {
  id: 'int8',
  name: 'text',
  state: 'text?',
  country: 'text',
  country_code: 'text',
  country_id: 'int8',
  latitude: 'float8?',
  longitude: 'float8?',
  zone: 'text',
} as const;

/** A city as it is offered to somebody who types its name. */
export type SuggestedPlace = RowOf<typeof PLACE>;

const FIELDS = `r.id, r.name, s.name AS state, n.name AS country, n.code AS country_code, n.id AS country_id,
     r.latitude, r.longitude, c.zone`;
const AROUND = `JOIN regions r ON r.id = c.id JOIN countries n ON n.id = c.country_id LEFT JOIN regions s ON s.id = c.state_id`;

// A range of an index that is ordered byte by byte; `population` stands in it too, so small places are passed over unread.
const byStart = statement(
  'places-by-start',
  PLACE,
  `SELECT ${FIELDS} FROM (
     SELECT id, country_id, state_id, zone, population FROM cities
     WHERE name_key COLLATE "C" >= $1 AND name_key COLLATE "C" < $2 AND population >= $3
     ORDER BY population DESC, id LIMIT $4
   ) AS c ${AROUND} ORDER BY c.population DESC, c.id`,
);

const SHORTEST = 2;
/** After everything that begins with a text: no name holds it. */
const LAST = '\u{10ffff}';

/** Cities whose names begin so, the largest first. Of two letters only large ones: thousands of names begin with them. */
export async function suggestPlaces(db: Queryable, text: string, limit: number): Promise<SuggestedPlace[]> {
  const key = placeKey(text);
  if (key.length < SHORTEST) return [];
  const smallest = key.length === 2 ? 100_000 : key.length === 3 ? 10_000 : 0;
  return byStart.run(db, [key, key + LAST, smallest, limit]);
}

const byId = statement('place-by-id', PLACE, `SELECT ${FIELDS} FROM cities c ${AROUND} WHERE c.id = $1`);

/** A city by the number of its region. */
export async function findPlace(db: Queryable, regionId: number): Promise<SuggestedPlace | undefined> {
  const [place] = await byId.run(db, [regionId]);
  return place;
}

const regionNamed = statement('region-name', { name: 'text' }, 'SELECT name FROM regions WHERE id = $1');

export async function findRegionName(db: Queryable, id: number): Promise<string | undefined> {
  const [region] = await regionNamed.run(db, [id]);
  return region?.name;
}
