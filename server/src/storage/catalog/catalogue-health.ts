import type { Queryable } from '../db/pool.ts';
import { type RowOf, statement } from '../db/statement.ts';

const HEARD = { listed: 'int8', checked: 'int8', plays: 'int8', last_checked_at: 'timestamptz?' } as const;
const heard = statement(
  'streams-heard',
  HEARD,
  `SELECT count(*) AS listed, count(checked_at) AS checked, count(*) FILTER (WHERE verdict = 'plays') AS plays,
     max(checked_at) AS last_checked_at FROM stream_checks`,
);

/** How many of the listed streams were checked, and how many of them play. */
export async function countHeard(db: Queryable): Promise<RowOf<typeof HEARD>> {
  const [row] = await heard.run(db, []);
  if (row === undefined) throw new Error('a count gave no row');
  return row;
}

const workers = statement(
  'worker-connections',
  { connections: 'int8' },
  `SELECT count(*) AS connections FROM pg_stat_activity
   WHERE application_name LIKE 'longwave work%' AND datname = current_database()`,
);

/** Finds workers on any machine by their database connections. */
export const countWorkerConnections = async (db: Queryable): Promise<number> =>
  (await workers.run(db, []))[0]?.connections ?? 0;

const IMPORTED = { source: 'text', imported_at: 'timestamptz' } as const;
/** A source of STATION_SOURCES that has not changed is read without a run of the import. */
const imported = statement(
  'imports-succeeded',
  IMPORTED,
  `SELECT source, max(at) AS imported_at FROM (
     SELECT source, finished_at AS at FROM import_runs WHERE finished_at IS NOT NULL
     UNION ALL SELECT name, read_at FROM station_sources WHERE read_at IS NOT NULL
   ) AS done GROUP BY source ORDER BY 2 DESC LIMIT 100`,
);

/** When each source was last imported to its end, the latest first; 100 of them at most. */
export const listImports = (db: Queryable): Promise<RowOf<typeof IMPORTED>[]> => imported.run(db, []);
