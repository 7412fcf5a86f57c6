import type { Queryable } from '../../db/pool.ts';
import { type RowOf, statement } from '../../db/statement.ts';

async function only<T>(rows: Promise<readonly T[]>): Promise<T> {
  const [row] = await rows;
  if (row === undefined) throw new Error('a count gave no row');
  return row;
}

const PARTNERS = { active: 'int8', disabled: 'int8', by_themselves: 'int8', built_in: 'int8' } as const;
const partners = statement(
  'doctor-partners',
  PARTNERS,
  `SELECT count(*) FILTER (WHERE state = 'active') AS active, count(*) FILTER (WHERE state <> 'active') AS disabled,
     count(*) FILTER (WHERE registered_by = 'itself') AS by_themselves,
     count(*) FILTER (WHERE registered_by = 'longwave' AND state = 'active') AS built_in
   FROM partners`,
);
export const countPartners = (db: Queryable): Promise<RowOf<typeof PARTNERS>> => only(partners.run(db, []));

const DIRECTORY = { stations: 'int8', streams: 'int8', cities: 'int8' } as const;
const directory = statement(
  'doctor-directory',
  DIRECTORY,
  `SELECT (SELECT count(*) FROM stations WHERE listed) AS stations, (SELECT count(*) FROM streams WHERE listed) AS streams,
     (SELECT count(*) FROM cities) AS cities`,
);
export const countDirectory = (db: Queryable): Promise<RowOf<typeof DIRECTORY>> =>
  only(directory.run(db, []));

const IMPORT = { source: 'text', started_at: 'timestamptz', finished_at: 'timestamptz?' } as const;
const lastImport = statement(
  'doctor-last-import',
  IMPORT,
  'SELECT source, started_at, finished_at FROM import_runs ORDER BY started_at DESC LIMIT 1',
);
export const findLastImport = async (db: Queryable): Promise<RowOf<typeof IMPORT> | undefined> =>
  (await lastImport.run(db, []))[0];

const HEARD = { listed: 'int8', checked: 'int8', plays: 'int8', last_checked_at: 'timestamptz?' } as const;
const heard = statement(
  'doctor-streams-heard',
  HEARD,
  `SELECT count(*) AS listed, count(checked_at) AS checked, count(*) FILTER (WHERE verdict = 'plays') AS plays,
     max(checked_at) AS last_checked_at FROM stream_checks`,
);
export const countHeard = (db: Queryable): Promise<RowOf<typeof HEARD>> => only(heard.run(db, []));

/** Counted no further: then it is many, and how many does not matter. */
export const MOST_OVERDUE = 10_000;
const OVERDUE = { overdue: 'int8', oldest_at: 'timestamptz?' } as const;
const overdueIn = (table: string, where: string): string =>
  `SELECT count(*) AS overdue, min(next_due_at) AS oldest_at FROM (
     SELECT next_due_at FROM ${table} WHERE next_due_at < now() ${where} ORDER BY next_due_at LIMIT ${MOST_OVERDUE}
   ) AS due`;
const streamsOverdue = statement('doctor-streams-overdue', OVERDUE, overdueIn('stream_checks', ''));
const feedsOverdue = statement('doctor-feeds-overdue', OVERDUE, overdueIn('feeds', 'AND gone_at IS NULL'));

export type Overdue = RowOf<typeof OVERDUE>;
export const findOverdueStreams = (db: Queryable): Promise<Overdue> => only(streamsOverdue.run(db, []));
export const findOverdueFeeds = (db: Queryable): Promise<Overdue> => only(feedsOverdue.run(db, []));

const workers = statement(
  'doctor-workers',
  { connections: 'int8' },
  `SELECT count(*) AS connections FROM pg_stat_activity
   WHERE application_name = 'longwave work' AND datname = current_database()`,
);
/** Of workers on any machine: each shows itself by its connections to the database. */
export const hasWorker = async (db: Queryable): Promise<boolean> =>
  (await only(workers.run(db, []))).connections > 0;

const firstFeed = statement(
  'doctor-first-feed',
  { show_id: 'int8' },
  'SELECT show_id FROM feeds ORDER BY show_id LIMIT 1',
);
export const hasFeeds = async (db: Queryable): Promise<boolean> => (await firstFeed.run(db, [])).length > 0;
