import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Pool } from 'pg';
import type { Config } from '../../app/config.ts';
import { openContext } from '../../app/context.ts';
import { findBackupAges } from '../../storage/backup/backup-ages.ts';
import { roomIn, megabytes } from '../../storage/backup/make-backup.ts';
import { listMigrations, listPendingMigrations } from '../../storage/db/migrate.ts';
import { effectOf } from '../../storage/db/migration-effects.ts';
import { VERSION } from '../../lib/version.ts';
import { type Command, UsageError } from '../command.ts';

const [OLDEST_NODE, OLDEST_POSTGRES] = [26, 15];

/** What is printed, and what has to be done before the upgrade. */
interface Look {
  lines: string[];
  problems: string[];
}

export const upgradeCommand: Command = {
  usage: ['upgrade --check'],
  summary:
    'say what longwave migrate would do: which migrations, who waits, whether there is a backup; changes nothing',
  async run(args, config) {
    const { values } = parseArgs({ args, options: { check: { type: 'boolean' } } });
    if (values.check !== true)
      throw new UsageError('upgrade --check looks; longwave migrate changes the database');
    await using context = openContext(config, { name: 'upgrade' });
    const look: Look = { lines: [], problems: [] };
    await versions(context.pool, look);
    await migrations(context.pool, look);
    await backups(context.pool, config, look);
    await running(context.pool, look);
    for (const line of look.lines) console.log(line);
    if (look.problems.length > 0) throw new Error(`before the upgrade:\n- ${look.problems.join('\n- ')}`);
    console.log('ready: longwave migrate, then restart the servers one after another (docs/upgrading.md)');
  },
};

async function versions(pool: Pool, { lines, problems }: Look): Promise<void> {
  const { rows } = await pool.query<{ version: string }>(
    "SELECT current_setting('server_version') AS version",
  );
  const postgres = rows[0]?.version ?? '';
  lines.push(`longwave ${VERSION}, Node ${process.versions.node}, PostgreSQL ${postgres}`);
  if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE)
    problems.push(`install Node ${OLDEST_NODE} or newer`);
  if (Number.parseInt(postgres, 10) < OLDEST_POSTGRES)
    problems.push(`upgrade PostgreSQL to ${OLDEST_POSTGRES} or newer`);
}

async function migrations(pool: Pool, { lines, problems }: Look): Promise<void> {
  const pending = new Set(await listPendingMigrations(pool));
  if (pending.size === 0) lines.push('the schema is that of this version: there is nothing to migrate');
  for (const migration of listMigrations().filter(({ name }) => pending.has(name))) {
    const { waits = 'only adds', breaksOlder } = effectOf(migration);
    lines.push(`pending: ${migration.name}: ${waits}`);
    if (breaksOlder)
      problems.push(`${migration.name} removes what older servers use: stop them before longwave migrate`);
  }
}

async function backups(pool: Pool, { backupFolder }: Config, { lines, problems }: Look): Promise<void> {
  // Before the migration that adds the table nothing is known.
  const { made_at: madeAt } = await findBackupAges(pool).catch(() => ({ made_at: null }));
  lines.push(madeAt === null ? 'no backup is known' : `the newest backup was made at ${madeAt.toString()}`);
  if (backupFolder === undefined) {
    lines.push('BACKUP_FOLDER is not set: longwave migrate will make no restore point');
    return;
  }
  const { rows } = await pool.query<{ size: number }>('SELECT pg_database_size(current_database()) AS size');
  const needed = Number(rows[0]?.size) / 2;
  const free = existsSync(backupFolder) ? roomIn(backupFolder) : undefined;
  if (free === undefined) lines.push(`${backupFolder} will be made for the restore point`);
  else lines.push(`${backupFolder} has ${megabytes(free)} MB free for the restore point`);
  if (free !== undefined && free < needed)
    problems.push(`make room in ${backupFolder}: ${megabytes(needed)} MB`);
}

const RUNNING = `SELECT application_name AS name, coalesce(host(client_addr), 'this machine') AS address, count(*) AS count
  FROM pg_stat_activity WHERE datname = current_database()
    AND (application_name LIKE 'longwave serve%' OR application_name LIKE 'longwave work%')
  GROUP BY 1, 2 ORDER BY 1, 2`;

async function running(pool: Pool, { lines }: Look): Promise<void> {
  const { rows } = await pool.query<{ name: string; address: string; count: number }>(RUNNING);
  if (rows.length === 0) lines.push('no server is connected');
  for (const { name, address, count } of rows)
    lines.push(
      `connected: ${name.split(',', 1)[0]} at ${address}, ${count} connections; it may go on meanwhile`,
    );
}
