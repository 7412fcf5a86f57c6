import { hash, randomBytes } from 'node:crypto';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { LOCKS, takeLock } from '../db/advisory-lock.ts';
import { openClient } from '../db/open-client.ts';
import { listMigrations, migrate } from '../db/migrate.ts';
import { compareContents, countRows, readContents } from './contents.ts';
import { type Backup, sumOfFile } from './manifest.ts';
import { findPgTools, type PgTools, startTool } from './pg-tools.ts';

/** Refuses a backup that was damaged, or that this version cannot bring up to date. */
export async function requireUsable({ dumpFile, manifest }: Backup): Promise<void> {
  const newest = listMigrations().at(-1)?.name ?? '';
  if (manifest.schema > newest)
    throw new Error(
      `this backup has the schema ${manifest.schema}, and this version of longwave only knows ${newest}; ` +
        `install the version that made it (${manifest.version}) or a newer one`,
    );
  if ((await sumOfFile(dumpFile)) !== manifest.sha256)
    throw new Error(
      `${dumpFile} is not what its manifest says: it was changed or copied in part. Use another copy, or an older backup`,
    );
}

export interface Restored {
  rows: number;
  applied: readonly string[];
}

/**
 * Puts a backup into a database in one transaction, compares what is there with the manifest, and migrates it to this
 * version. With `isReplaced` all that was there is dropped in that transaction; without, it must be empty.
 */
export async function restoreInto(
  databaseUrl: string,
  backup: Backup,
  { isReplaced = false, signal }: { isReplaced?: boolean; signal?: AbortSignal | undefined } = {},
): Promise<Restored> {
  const client = await openClient(databaseUrl, 'longwave restore');
  try {
    const schemas = await listOwnSchemas(client);
    if (!isReplaced && schemas.hasTables)
      throw new Error(
        'the database is not empty: restore into a new one (CREATE DATABASE), or replace all of it with --replace, ' +
          'which makes a backup of what is there first',
      );
    const tools = await findPgTools(client);
    await fill(tools, { databaseUrl, signal }, backup, isReplaced ? emptying(client, schemas.names) : '');
    const differences = await differencesFrom(client, backup);
    if (differences.length > 0)
      throw new Error(
        `what was restored is not what was backed up:\n- ${differences.slice(0, 20).join('\n- ')}`,
      );
    // A backup holds no statistics, and without them large tables are read whole until autovacuum comes by.
    await client.query('ANALYZE');
  } finally {
    await client.end().catch(() => undefined);
  }
  return { rows: countRows(backup.manifest.tables), applied: await migrate(databaseUrl) };
}

const PSQL = ['--quiet', '--no-psqlrc', '--set=ON_ERROR_STOP=1'];

/**
 * All or nothing: psql commits only what it is told to once pg_restore has ended well. Input that merely ends, since pg_restore was
 * killed or cannot read the file, is rolled back. (`--single-transaction` would commit it.)
 */
async function fill(
  { pg_restore: program, psql }: PgTools,
  to: { databaseUrl: string; signal?: AbortSignal | undefined },
  { dumpFile }: Backup,
  before: string,
): Promise<void> {
  const { signal } = to;
  const args = ['--no-owner', '--no-privileges', '--no-comments', '--file=-', dumpFile];
  const reading = startTool(program, args, { signal });
  const writing = startTool(psql, PSQL, to);
  const [output, input] = [reading.process.stdout, writing.process.stdin];
  if (!output || !input) throw new Error('a program has no input or output');
  writing.process.stdout?.resume();
  input.write(`BEGIN;\n${before}`);
  const read = readAll(pipeline(output, input, { end: false }), reading.done, input);
  const [written, wasRead] = await Promise.allSettled([writing.done, read]);
  // Where a statement failed, psql's own words are the reason; pg_restore only says that nobody reads it any more.
  const failed = [written, wasRead].find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

async function readAll(piped: Promise<void>, ended: Promise<void>, input: Writable): Promise<void> {
  try {
    await piped;
    await ended;
    input.end('COMMIT;\n');
  } catch (error) {
    input.destroy();
    throw error;
  }
}

async function differencesFrom(client: Client, { manifest }: Backup): Promise<string[]> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const found = await readContents(client);
  await client.query('COMMIT');
  return compareContents(manifest.tables, found);
}

async function listOwnSchemas(client: Client): Promise<{ names: string[]; hasTables: boolean }> {
  const { rows } = await client.query<{ name: string; has_tables: boolean }>(
    `SELECT nspname AS name, EXISTS (SELECT FROM pg_class WHERE relnamespace = n.oid AND relkind IN ('r', 'p', 'v', 'm')) AS has_tables
     FROM pg_namespace n WHERE nspname !~ '^pg_' AND nspname <> 'information_schema' ORDER BY 1`,
  );
  return { names: rows.map(({ name }) => name), hasTables: rows.some(({ has_tables: has }) => has) };
}

const emptying = (client: Client, schemas: readonly string[]): string =>
  [
    'SET client_min_messages = warning;',
    ...schemas.map((name) => `DROP SCHEMA ${client.escapeIdentifier(name)} CASCADE;`),
    'CREATE SCHEMA public;\n',
  ].join('\n');

/** Of this database alone: another one on the same server may be verified at the same time. */
const scratchPrefix = (databaseUrl: string): string =>
  `longwave_verify_${hash('sha256', new URL(databaseUrl).pathname).slice(0, 8)}_`;

/**
 * Proves that a backup can be restored: into a scratch database on the same server, which is dropped again. What a
 * verification that was killed left behind goes first; one is made at a time.
 */
export async function verifyBackup(
  databaseUrl: string,
  backup: Backup,
  signal?: AbortSignal,
): Promise<Restored> {
  await requireUsable(backup);
  const client = await openClient(databaseUrl, 'longwave verify');
  const prefix = scratchPrefix(databaseUrl);
  const name = `${prefix}${randomBytes(6).toString('hex')}`;
  try {
    if (!(await takeLock(client, LOCKS.verify, 0)))
      throw new Error('another backup of this database is being verified; wait until that has ended');
    const { rows } = await client.query<{ name: string }>(
      'SELECT datname AS name FROM pg_database WHERE datname LIKE $1',
      [`${prefix.replaceAll('_', String.raw`\_`)}%`],
    );
    for (const left of rows) await drop(client, left.name);
    await create(client, name);
    const url = new URL(databaseUrl);
    url.pathname = `/${name}`;
    const restored = await restoreInto(url.href, backup, { signal });
    await note(client, backup);
    return restored;
  } finally {
    // What is left all the same goes before the next one is verified.
    await dropSoon(client, name).catch(() => undefined);
    await client.end().catch(() => undefined);
  }
}

async function create(client: Client, name: string): Promise<void> {
  try {
    await client.query(`CREATE DATABASE ${name} TEMPLATE template0`);
  } catch (error) {
    const isRefused = error instanceof Error && 'code' in error && error.code === '42501';
    if (!isRefused) throw error;
    throw new Error(
      'verifying restores into a scratch database, and this role may not create one: ALTER ROLE … CREATEDB as a superuser',
      { cause: error },
    );
  }
}

const DROP_TRIES = 10;
const DROP_PAUSE_MS = 500;

/** PostgreSQL may be counting its rows at that moment (autovacuum), and lets nobody but a superuser end that. */
async function dropSoon(client: Client, name: string, tries = DROP_TRIES): Promise<void> {
  try {
    await drop(client, name);
  } catch (error) {
    if (tries <= 1) throw error;
    await sleep(DROP_PAUSE_MS);
    await dropSoon(client, name, tries - 1);
  }
}

const drop = async (client: Client, name: string): Promise<void> => {
  await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
};

/** Where the database knows of its backups: not before the migration that adds the table. */
async function knowsBackups(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>(
    "SELECT to_regclass('backups') IS NOT NULL AS there",
  );
  return rows[0]?.there === true;
}

async function note(client: Client, { manifest }: Backup): Promise<void> {
  if (await knowsBackups(client))
    await client.query('UPDATE backups SET verified_at = now() WHERE made_at = $1', [manifest.madeAt]);
}

/** A database that was restored does not know of the backup it is from: that was made before its row was. */
export async function noteRestored(databaseUrl: string, { manifest, dumpFile }: Backup): Promise<void> {
  const client = await openClient(databaseUrl, 'longwave restore');
  try {
    const { madeAt, kind, bytes, schema } = manifest;
    await client.query(
      `INSERT INTO backups (made_at, kind, file, bytes, schema, verified_at) VALUES ($1, $2, $3, $4, $5, now())
       ON CONFLICT (made_at) DO UPDATE SET verified_at = now()`,
      [madeAt, kind, dumpFile, bytes, schema],
    );
  } finally {
    await client.end();
  }
}
