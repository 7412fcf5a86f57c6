import type { Queryable } from '../../db/pool.ts';
import { statement } from '../../db/statement.ts';

const postgres = statement(
  'doctor-postgres',
  { version: 'text', number: 'int4', bytes: 'int8' },
  `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::integer AS number,
     pg_database_size(current_database()) AS bytes`,
);

export interface Postgres {
  version: string;
  major: number;
  /** Of this database alone. */
  bytes: number;
}

export async function findPostgres(db: Queryable): Promise<Postgres> {
  const [row] = await postgres.run(db, []);
  if (!row) throw new Error('PostgreSQL does not tell its version');
  // `15.13 (Debian 15.13-0+deb12u1)` says nothing more than `15.13`.
  const [version = row.version] = row.version.split(' ');
  return { version, major: Math.floor(row.number / 10_000), bytes: row.bytes };
}

const extensions = statement(
  'doctor-extensions',
  { name: 'text' },
  'SELECT extname::text AS name FROM pg_extension',
);

export const listExtensions = async (db: Queryable): Promise<string[]> =>
  (await extensions.run(db, [])).map(({ name }) => name);

const applied = statement(
  'doctor-migrations',
  { name: 'text', checksum: 'text' },
  'SELECT name, checksum FROM migrations',
);

/** What the database says was done to it: checksum by name. */
export const appliedMigrations = async (db: Queryable): Promise<ReadonlyMap<string, string>> =>
  new Map((await applied.run(db, [])).map(({ name, checksum }) => [name, checksum]));

const home = statement(
  'doctor-data-folder',
  { folder: 'text', address: 'text?' },
  "SELECT current_setting('data_directory') AS folder, host(inet_server_addr()) AS address",
);

/** The folder of the data, as PostgreSQL calls it where it runs; undefined where this role may not know, or it is elsewhere. */
export async function findDataFolder(db: Queryable): Promise<string | undefined> {
  try {
    const [row] = await home.run(db, []);
    return row && (row.address === null || LOOPBACK.has(row.address)) ? row.folder : undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === NOT_ALLOWED) return undefined;
    throw error;
  }
}

const NOT_ALLOWED = '42501';
const LOOPBACK = new Set(['127.0.0.1', '::1']);
