import type { Queryable } from '../db/pool.ts';
import { statement } from '../db/statement.ts';

const byAddress = statement(
  'site-stations-by-address',
  { key: 'uuid?', station_id: 'int8' },
  `SELECT address_key AS key, station_id FROM streams WHERE address_key = ANY ($1::uuid[])
   UNION ALL SELECT resolved_key, min(station_id) FROM streams WHERE resolved_key = ANY ($1::uuid[])
   GROUP BY resolved_key HAVING min(station_id) = max(station_id)`,
);
const byName = statement(
  'site-stations-by-name',
  { name_key: 'text', id: 'int8', country_id: 'int8?' },
  `SELECT name_key, id, country_id FROM stations WHERE name_key = ANY ($1::text[]) LIMIT 5000`,
);

/**
 * Which stations play at these addresses, by the keys under which imports know addresses. One that several stations
 * lead to, as to the page for listeners abroad, is none of them.
 */
export async function stationsByAddress(
  db: Queryable,
  keys: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = keys.length === 0 ? [] : await byAddress.run(db, [keys]);
  // Whoever plays there itself is meant before who leads there, and comes first.
  return new Map(rows.toReversed().map(({ key, station_id: id }) => [key ?? '', id]));
}

/** The one station of a name, for each name that has one, in the world or at least in the listener's country. */
export async function stationsByName(
  db: Queryable,
  keys: readonly string[],
  countryId: number | null,
): Promise<ReadonlyMap<string, number>> {
  const rows = keys.length === 0 ? [] : await byName.run(db, [keys]);
  const found = new Map<string, number>();
  for (const [key, named] of Map.groupBy(rows, ({ name_key: name }) => name)) {
    const here = named.filter((row) => row.country_id !== null && row.country_id === countryId);
    const [only] = named.length === 1 ? named : here;
    if (only && (named.length === 1 || here.length === 1)) found.set(key, only.id);
  }
  return found;
}
