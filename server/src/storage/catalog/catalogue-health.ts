import { statement } from '../db/statement.ts';

/** How many of the listed streams were checked, and how many of them play. */
export const countHeard = statement(
  'streams-heard',
  { listed: 'int8', checked: 'int8', plays: 'int8', last_checked_at: 'timestamptz?' },
  `SELECT count(*) AS listed, count(checked_at) AS checked, count(*) FILTER (WHERE verdict = 'plays') AS plays,
     max(checked_at) AS last_checked_at FROM stream_checks`,
).one();

/** Finds workers on any machine by their database connections. */
export const countWorkerConnections = statement(
  'worker-connections',
  { connections: 'int8' },
  `SELECT count(*) AS connections FROM pg_stat_activity
   WHERE application_name LIKE 'longwave work%' AND datname = current_database()`,
).oneValue();

/**
 * When each source was last imported to its end, the latest first; 100 of them at most. A source of STATION_SOURCES
 * that has not changed is read without a run of the import.
 */
export const listImports = statement(
  'imports-succeeded',
  { source: 'text', imported_at: 'timestamptz' },
  `SELECT source, max(at) AS imported_at FROM (
     SELECT source, finished_at AS at FROM import_runs WHERE finished_at IS NOT NULL
     UNION ALL SELECT name, read_at FROM station_sources WHERE read_at IS NOT NULL
   ) AS done GROUP BY source ORDER BY 2 DESC LIMIT 100`,
).all();
