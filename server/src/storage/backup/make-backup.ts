import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  closeSync,
  createWriteStream,
  fsyncSync,
  globSync,
  openSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Transform } from 'node:stream';
import type { Client } from 'pg';
import { LOCKS, takeLock } from '../db/advisory-lock.ts';
import { openClient } from '../db/open-client.ts';
import { requireFolder } from './backup-folder.ts';
import { type Contents, readContents } from './contents.ts';
import { type Backup, type BackupKind, listBackups, type Manifest, nameOf } from './manifest.ts';
import { findPgTools, startTool } from './pg-tools.ts';

export interface BackupOptions {
  databaseUrl: string;
  folder: string;
  kind: BackupKind;
  /** How many of this kind stay in the folder. */
  keep: number;
  /** The file of one that stays besides, however old: it is about to be restored. */
  spare?: string | undefined;
  /** Of Longwave, for the manifest. */
  version: string;
  signal?: AbortSignal | undefined;
}

/**
 * Dumps the database while it is in use: one snapshot of it, which the counts and sums of the manifest are taken from
 * too. The files get their names when they are complete and on the disk, the manifest last. Memory does not grow with
 * the database.
 */
export async function makeBackup(options: BackupOptions): Promise<Backup> {
  const { databaseUrl, folder } = options;
  requireFolder(folder);
  const client = await openClient(databaseUrl, 'longwave backup');
  try {
    if (!(await takeLock(client, LOCKS.backup, 0)))
      throw new Error('another backup of this database is being made; wait until it has ended');
    await requireSpace(client, folder);
    const backup = await dump(client, options);
    await record(client, backup);
    deleteOld(options);
    return backup;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function dump(
  client: Client,
  { databaseUrl, folder, kind, version, signal }: BackupOptions,
): Promise<Backup> {
  const tools = await findPgTools(client);
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const { rows } = await client.query<{ snapshot: string; at: string }>(
    `SELECT pg_export_snapshot() AS snapshot, to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at`,
  );
  const [taken] = rows;
  if (!taken) throw new Error('PostgreSQL exported no snapshot');
  const name = nameOf(Temporal.Instant.from(taken.at), kind);
  const [dumpFile, manifestFile] = [join(folder, `${name}.dump`), join(folder, `${name}.json`)];
  const temporary = `${dumpFile}.part`;
  try {
    const args = ['--format=custom', '--no-owner', '--no-privileges', `--snapshot=${taken.snapshot}`];
    const { process: dumping, done } = startTool(tools.pg_dump, args, { databaseUrl, signal });
    const written = writeDurably(dumping.stdout, temporary);
    // The disk may fail while the database is read; it is waited for below.
    written.catch(() => undefined);
    const tables = await readContents(client);
    const { bytes, sha256 } = await written;
    await done;
    const about = await describe(client);
    await client.query('COMMIT');
    const madeAt = taken.at;
    const manifest: Manifest = { format: 1, madeAt, kind, version, ...about, bytes, sha256, tables };
    renameSync(temporary, dumpFile);
    writeManifest(manifestFile, manifest);
    return { dumpFile, manifestFile, manifest };
  } finally {
    rmSync(temporary, { force: true });
  }
}

async function writeDurably(
  source: NodeJS.ReadableStream | null,
  file: string,
): Promise<{ bytes: number; sha256: string }> {
  if (!source) throw new Error('pg_dump has no output');
  const hash = createHash('sha256');
  let bytes = 0;
  const counting = new Transform({
    transform(chunk: Buffer, _encoding, next) {
      hash.update(chunk);
      bytes += chunk.length;
      next(null, chunk);
    },
  });
  // Nobody else may read it: it holds e-mail addresses.
  const target = createWriteStream(file, { mode: 0o600, flush: true });
  await pipeline(source, counting, target);
  if (!target.closed) await once(target, 'close');
  return { bytes, sha256: hash.digest('hex') };
}

function writeManifest(file: string, manifest: Manifest): void {
  const temporary = `${file}.part`;
  writeFileSync(temporary, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(temporary, file);
  // Both names are in the folder, which has to reach the disk too.
  const folder = openSync(dirname(file), 'r');
  fsyncSync(folder);
  closeSync(folder);
}

async function describe(client: Client): Promise<Pick<Manifest, 'schema' | 'postgres' | 'keys'>> {
  const { rows } = await client.query<{ schema: string | null; postgres: string; has_key: boolean }>(
    `SELECT (SELECT max(name) FROM migrations) AS schema, current_setting('server_version') AS postgres,
       to_regclass('member_key') IS NOT NULL AS has_key`,
  );
  const [about] = rows;
  if (!about) throw new Error('the database says nothing about itself');
  const { schema, postgres, has_key: hasKey } = about;
  return { schema: schema ?? '', postgres, keys: hasKey ? await keysOf(client) : [] };
}

/** As text, so that a schema from before keys could be replaced is read too. */
async function keysOf(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ row: { fingerprint: string; earlier_fingerprint?: string | null } }>(
    'SELECT to_jsonb(member_key) AS row FROM member_key',
  );
  return rows.flatMap(({ row: { fingerprint, earlier_fingerprint: earlier } }) =>
    [fingerprint, ...(earlier ? [earlier] : [])].map((key) => key.replace(/^\\x/, '')),
  );
}

const SPARE_BYTES = 64 * 2 ** 20;

/** A disk that fills up harms more than this backup: half the database, or what the last one took and a half more. */
async function requireSpace(client: Client, folder: string): Promise<void> {
  const { rows } = await client.query<{ size: number }>(
    'SELECT pg_database_size(current_database()) AS size',
  );
  const [last] = listBackups(folder);
  const needed = SPARE_BYTES + (last ? last.manifest.bytes * 1.5 : Number(rows[0]?.size) / 2);
  const free = roomIn(folder);
  if (free < needed)
    throw new Error(
      `${folder} has ${megabytes(free)} MB free, and a backup may need ${megabytes(needed)}; ` +
        'make room there, or choose another folder. Nothing was written',
    );
}

export function roomIn(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

export const megabytes = (bytes: number): string => Math.ceil(bytes / 2 ** 20).toLocaleString('en');

/** Where the database can tell that it was backed up: not before the migration that adds the table. */
async function record(client: Client, { manifest, dumpFile }: Backup): Promise<void> {
  const { rows } = await client.query<{ there: boolean }>(
    "SELECT to_regclass('backups') IS NOT NULL AS there",
  );
  if (!rows[0]?.there) return;
  await client.query("DELETE FROM backups WHERE made_at < now() - interval '400 days'");
  await client.query('INSERT INTO backups (made_at, kind, file, bytes, schema) VALUES ($1, $2, $3, $4, $5)', [
    manifest.madeAt,
    manifest.kind,
    dumpFile,
    manifest.bytes,
    manifest.schema,
  ]);
}

const STALE_MS = 24 * 3_600_000;

function deleteOld({ folder, kind, keep, spare = '' }: BackupOptions): void {
  const ofKind = listBackups(folder).filter(({ manifest }) => manifest.kind === kind);
  const old = ofKind.slice(keep).filter(({ dumpFile }) => resolve(dumpFile) !== resolve(spare));
  // The manifest first: what is left of a deletion that was cut off is then no backup.
  for (const { manifestFile, dumpFile } of old)
    for (const file of [manifestFile, dumpFile]) rmSync(file, { force: true });
  for (const part of globSync('longwave-*.part', { cwd: folder }).map((name) => join(folder, name)))
    if (Date.now() - (statSync(part, { throwIfNoEntry: false })?.mtimeMs ?? 0) > STALE_MS)
      rmSync(part, { force: true });
}

/** What a backup holds, in a few words. */
export const describeContents = (tables: Contents): string =>
  ['stations', 'shows', 'accounts', 'presets']
    .map((name) => `${(tables[name]?.rows ?? 0).toLocaleString('en')} ${name}`)
    .join(', ');
