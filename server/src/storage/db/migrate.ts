import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { LOCKS } from './advisory-lock.ts';
import { openClient } from './open-client.ts';
import type { Queryable } from './pool.ts';
import { splitStatements } from './split-statements.ts';

export interface Migration {
  name: string;
  text: string;
  checksum: string;
}

/** In the order of their numbers. There never was a 16: a gap there is not a missing file. */
export function listMigrations(folder = join(import.meta.dirname, 'migrations')): Migration[] {
  return globSync('*.sql', { cwd: folder })
    .toSorted()
    .map((name) => {
      const text = readFileSync(join(folder, name), 'utf8');
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
    });
}

/** Applies missing migrations in order, each file in its own transaction. Returns the names it applied. */
export async function migrate(databaseUrl: string, migrations = listMigrations()): Promise<string[]> {
  const client = await openClient(databaseUrl, 'longwave migrate');
  try {
    // One migrator at a time; the others wait and then find nothing left to do.
    await client.query('SELECT pg_advisory_lock($1)', [LOCKS.migrate]);
    const applied = await appliedChecksums(client);
    const missing = migrations.filter((migration) => isMissing(migration, applied));
    for (const migration of missing) await applyPatiently(client, migration);
    return missing.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

/** Migrations that this version has and the database does not. */
export async function listPendingMigrations(db: Queryable): Promise<string[]> {
  const { rows: tables } = await db.query<{ there: boolean }>({
    text: "SELECT to_regclass('migrations') IS NOT NULL AS there",
  });
  if (!tables[0]?.there) return listMigrations().map(({ name }) => name);
  const { rows } = await db.query<{ name: string }>({ text: 'SELECT name FROM migrations' });
  const applied = new Set(rows.map(({ name }) => name));
  return listMigrations()
    .map(({ name }) => name)
    .filter((name) => !applied.has(name));
}

/** A process on an unknown schema would fail call by call; better to fail at startup. */
export async function refuseOldSchema(db: Queryable): Promise<void> {
  const pending = await listPendingMigrations(db);
  if (pending.length > 0)
    throw new Error(`the database lacks ${pending.join(', ')}; run longwave migrate first`);
}

async function appliedChecksums(client: Client): Promise<Map<string, string>> {
  await client.query(`CREATE TABLE IF NOT EXISTS migrations (
    name text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`);
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'SELECT name, checksum FROM migrations',
  );
  return new Map(rows.map(({ name, checksum }) => [name, checksum]));
}

function isMissing({ name, checksum }: Migration, applied: ReadonlyMap<string, string>): boolean {
  const before = applied.get(name);
  if (before !== undefined && before !== checksum) {
    throw new Error(
      `migration ${name} was changed after it was applied; restore the file and write a new one`,
    );
  }
  return before === undefined;
}

const TRIES = 60;
const PAUSE_MS = 1000;
const LOCK_MS = 150;

/**
 * A statement waits so long for its lock, during which all others wait behind it; then they go first, and it is tried
 * again.
 */
async function applyPatiently(client: Client, migration: Migration): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await apply(client, migration);
      return;
    } catch (error) {
      if (tries === TRIES || !isLockTimeout(error)) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

const LOCK_TIMEOUT = '55P03';
const isLockTimeout = (error: unknown): boolean =>
  error instanceof Error &&
  error.cause instanceof Error &&
  'code' in error.cause &&
  error.cause.code === LOCK_TIMEOUT;

async function apply(client: Client, { name, text, checksum }: Migration): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(`SET LOCAL lock_timeout = ${LOCK_MS}; SET LOCAL statement_timeout = '5min'`);
    if (await isOnCitus(client)) await applyOnCitus(client, text);
    else await client.query(text);
    await client.query('INSERT INTO migrations (name, checksum) VALUES ($1, $2)', [name, checksum]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw new Error(`migration ${name} failed and was rolled back`, { cause: error });
  }
}

async function isOnCitus(client: Client): Promise<boolean> {
  const { rowCount } = await client.query("SELECT FROM pg_extension WHERE extname = 'citus'");
  return rowCount === 1;
}

/** Workers are sent the text of a statement as it came, one at a time; foreign keys need one connection to each worker. */
async function applyOnCitus(client: Client, text: string): Promise<void> {
  await client.query("SET LOCAL citus.multi_shard_modify_mode = 'sequential'");
  for (const statement of splitStatements(text)) await client.query(statement);
}
