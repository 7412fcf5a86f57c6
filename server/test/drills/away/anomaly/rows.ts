import type { Pool } from 'pg';

/** How many rows each table has, and a digest of them. */
export type Rows = ReadonlyMap<string, { count: number; digest: string }>;

/** The world's places: a hundred thousand rows that no call changes. */
const NEVER_WRITTEN = new Set(['cities', 'regions', 'countries', 'postal_codes']);

/**
 * Written beside what was asked for, by statements of their own, and no answer tells of them: from where somebody signed in, when
 * a key was last used, and the history of songs.
 */
const IN_PASSING = new Set(['known_networks', 'station_keys', 'station_songs']);

/** Reads all that a call could change. */
export async function rowReader(pool: Pool): Promise<() => Promise<Rows>> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition
     AND relnamespace = 'public'::regnamespace ORDER BY 1`,
  );
  const names = rows
    .map(({ name }) => name)
    .filter((name) => !NEVER_WRITTEN.has(name) && !IN_PASSING.has(name));
  const text = names
    .map(
      (name) =>
        `SELECT '${name}' AS name, count(*)::int AS count, coalesce(sum(hashtextextended(t::text, 0)), 0)::text AS digest FROM "${name}" t`,
    )
    .join(' UNION ALL ');
  return async () => {
    const read = await pool.query<{ name: string; count: number; digest: string }>(text);
    return new Map(read.rows.map(({ name, count, digest }) => [name, { count, digest }]));
  };
}

/** The tables that differ, each with how many rows more or fewer; empty where nothing was written. */
export function changes(before: Rows, after: Rows): Record<string, number> {
  const changed: Record<string, number> = {};
  for (const [name, { count, digest }] of after) {
    const was = before.get(name);
    if (was?.digest !== digest) changed[name] = count - (was?.count ?? 0);
  }
  return changed;
}
