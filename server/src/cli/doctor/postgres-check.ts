import { listMigrations } from '../../storage/db/migrate.ts';
import { adviceOn, type Queryable, whereOf } from '../../storage/db/pool.ts';
import { statement } from '../../storage/db/statement.ts';
import { broken, type Check, type Finding, note, type CheckContext, warning, well } from './check.ts';
import { formatBytes } from './format.ts';
import { replicaLine } from './replica-line.ts';

const OLDEST = 15;
const EXTENSIONS = ['cube', 'pg_trgm', 'unaccent'];
/** A call runs several statements in sequence; above this, listeners notice. */
const SLOW_MS = 20;
const TURNS = 5;

export const postgresCheck: Check = {
  title: 'PostgreSQL',
  showsDatabase: true,
  async look(context) {
    const { pool, config } = context;
    try {
      // The first statement includes the connection setup.
      const { version, major, bytes, isReadOnly, isStandby } = await findPostgres(pool);
      const schema = await schemaLine(pool);
      return [
        versionLine(version, major, config.databaseUrl),
        await roundTrip(context),
        schema,
        // Migrations create the extensions, so they are only checked after those ran.
        ...(schema.state === 'well' ? [await extensions(context)] : []),
        ...(isReadOnly ? [readOnly(isStandby)] : []),
        await roomOnDisk(context, bytes),
        ...(config.databaseReadUrl === undefined ? [] : [await replicaLine(config.databaseReadUrl)]),
      ];
    } catch (error) {
      return [unreached(error, config.databaseUrl)];
    }
  },
};

function versionLine(version: string, major: number, databaseUrl: string): Finding {
  const text = `${version} at ${whereOf(databaseUrl)}`;
  return major >= OLDEST
    ? well('answers', text)
    : broken('answers', `${text} is too old`, `upgrade PostgreSQL to ${OLDEST} or newer`);
}

/** The minimum of several runs, because the other checks compete for this process. */
async function roundTrip({ pool, clock }: CheckContext): Promise<Finding> {
  let bestMs = Infinity;
  for (let turn = 0; turn < TURNS; turn += 1) {
    const started = clock.elapsedMs();
    await listExtensions(pool);
    bestMs = Math.min(bestMs, clock.elapsedMs() - started);
  }
  const text = `a statement takes ${bestMs.toFixed(1)} ms`;
  return bestMs < SLOW_MS
    ? well('speed', text)
    : warning('speed', text, 'move the database nearer to the server, or check what else runs on it');
}

async function extensions({ pool }: CheckContext): Promise<Finding> {
  const there = new Set(await listExtensions(pool));
  const missing = EXTENSIONS.filter((name) => !there.has(name));
  if (missing.length === 0) return well('extensions', EXTENSIONS.join(', '));
  const commands = missing.map((name) => `CREATE EXTENSION ${name};`).join(' ');
  return broken('extensions', `${missing.join(', ')} missing`, `in the database: ${commands}`);
}

const readOnly = (isStandby: boolean): Finding =>
  broken(
    'writable',
    `${isStandby ? 'this is a standby' : 'it is read-only'}: menus are answered, nothing can be saved, imported or probed`,
    isStandby
      ? 'lead DATABASE_URL to the primary server, or promote this one'
      : 'in the database: ALTER SYSTEM RESET default_transaction_read_only; SELECT pg_reload_conf(); and the same for ALTER DATABASE and ALTER ROLE',
  );

function unreached(error: unknown, databaseUrl: string): Finding {
  const advice = adviceOn(error, databaseUrl);
  const message = error instanceof Error ? error.message : String(error);
  if (advice === undefined)
    return broken(
      'answers',
      `PostgreSQL at ${whereOf(databaseUrl)}: ${message}`,
      "correct DATABASE_URL, and check PostgreSQL's log",
    );
  // The advice follows the last colon.
  const at = advice.lastIndexOf(': ');
  return broken('answers', advice.slice(0, at), advice.slice(at + 2));
}

const SCHEMA = 'schema';
const MAX_NAMED = 3;
const NO_SUCH_TABLE = '42P01';

/** Whether the schema is exactly that of this version. */
async function schemaLine(db: Queryable): Promise<Finding> {
  const known = listMigrations();
  const applied = await appliedOrNone(db);
  const missing = known.filter(({ name }) => !applied.has(name)).map(({ name }) => name);
  if (applied.size === 0) return broken(SCHEMA, 'the database has no tables', 'longwave migrate');
  if (missing.length > 0)
    return broken(SCHEMA, `${some(missing)} missing, so no server can start`, 'longwave migrate');
  const changed = known.filter(({ name, checksum }) => applied.get(name) !== checksum);
  if (changed.length > 0)
    return broken(
      SCHEMA,
      `${some(changed.map(({ name }) => name))} has changed since it was applied`,
      'restore the file of this version: git checkout server/src/storage/db/migrations',
    );
  const names = new Set(known.map(({ name }) => name));
  const unknown = [...applied.keys()].filter((name) => !names.has(name));
  if (unknown.length > 0)
    return broken(SCHEMA, `${some(unknown)} belongs to a newer version of Longwave`, 'update this checkout');
  return well(SCHEMA, `all ${known.length} migrations`);
}

const some = (names: readonly string[]): string =>
  names.length <= MAX_NAMED
    ? names.join(', ')
    : `${names.slice(0, MAX_NAMED).join(', ')} and ${names.length - MAX_NAMED} more`;

/** The applied migrations: checksum by name. */
async function appliedOrNone(db: Queryable): Promise<ReadonlyMap<string, string>> {
  try {
    return new Map((await listApplied(db)).map(({ name, checksum }) => [name, checksum]));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === NO_SUCH_TABLE) return new Map();
    throw error;
  }
}

const DISK = 'disk';
/** PostgreSQL stops in the middle of a write when the disk is full. */
const LITTLE_BYTES = 2e9;

/** The size of the database and, if visible from here, the free disk space. */
async function roomOnDisk({ pool, machine }: CheckContext, bytes: number): Promise<Finding> {
  const folder = await findDataFolder(pool);
  return diskLine(bytes, folder === undefined ? undefined : await machine.freeBytes(folder));
}

export function diskLine(bytes: number, free: number | undefined): Finding {
  const taken = `the database takes ${formatBytes(bytes)}`;
  if (free === undefined) return note(DISK, `${taken}; the free space is not visible from here`);
  const text = `${taken}, ${formatBytes(free)} free`;
  return free < LITTLE_BYTES
    ? warning(DISK, text, "free some space on PostgreSQL's disk; it stops when the disk is full")
    : well(DISK, text);
}

/** `15.13 (Debian 15.13-0+deb12u1)` -> `15.13`. The size is that of this database only. */
const findPostgres = statement(
  'doctor-postgres',
  { version: 'text', major: 'int4', bytes: 'int8', isReadOnly: 'bool', isStandby: 'bool' },
  `SELECT split_part(current_setting('server_version'), ' ', 1) AS version,
     current_setting('server_version_num')::integer / 10000 AS major, pg_database_size(current_database()) AS bytes,
     current_setting('transaction_read_only') = 'on' AS "isReadOnly", pg_is_in_recovery() AS "isStandby"`,
).one();

const listExtensions = statement(
  'doctor-extensions',
  { name: 'text' },
  'SELECT extname::text AS name FROM pg_extension',
).values();

const listApplied = statement(
  'doctor-migrations',
  { name: 'text', checksum: 'text' },
  'SELECT name, checksum FROM migrations',
).all();

const home = statement(
  'doctor-data-folder',
  { folder: 'text', address: 'text?' },
  "SELECT current_setting('data_directory') AS folder, host(inet_server_addr()) AS address",
);

/** PostgreSQL's data directory; undefined when this role may not see it or the server is remote. */
async function findDataFolder(db: Queryable): Promise<string | undefined> {
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
