import { parseArgs } from 'node:util';
import type { Config } from '../app/config.ts';
import { openContext } from '../app/context.ts';
import { distributeMembers, isDistributed, refuseUnprepared } from '../storage/db/distribute.ts';
import { listPendingMigrations, migrate } from '../storage/db/migrate.ts';
import { migrateTimedJobs } from '../workers/runner/timed.ts';
import { indexMarked } from './catch-up-search.ts';
import { backUp } from './upkeep/backup.ts';
import type { Command } from './command.ts';

const MAX_STATEMENT_MS = 600_000;

export const migrateCommand: Command = {
  usage: ['migrate [--without-backup] [--distributed]'],
  summary:
    'update the database schema to this version, after a backup to BACKUP_FOLDER if that is set; --distributed spreads accounts and presets over the workers of a Citus cluster (docs/scale.md)',
  async run(args, config) {
    const options = { 'without-backup': { type: 'boolean' }, distributed: { type: 'boolean' } } as const;
    const { values } = parseArgs({ args, options });
    if (values.distributed) await refuseUnprepared(config.databaseUrl);
    const applied = await migrateSchema(config, { withBackup: values['without-backup'] !== true });
    for (const name of applied) console.log(`applied ${name}`);
    if (applied.length === 0) console.log('the schema is up to date');
    // A table of this version's may be new.
    if (values.distributed || (await isDistributed(config.databaseUrl))) await spreadMembers(config);
  },
};

async function spreadMembers({ databaseUrl }: Config): Promise<void> {
  const tables = await distributeMembers(databaseUrl);
  for (const table of tables) console.log(`distributed ${table}`);
  if (tables.length === 0) console.log('the tables of the members are distributed');
}

/** The names of the migrations that were applied. */
export async function migrateSchema(
  config: Config,
  { withBackup }: { withBackup: boolean },
): Promise<readonly string[]> {
  if (withBackup) await makeRestorePoint(config);
  const applied = await migrate(config.databaseUrl);
  await migrateTimedJobs(config.databaseUrl);
  // A migration that changes searchable columns marks the affected rows; without this step they might stay unindexed
  // for weeks.
  await using context = openContext(config, { name: 'migrate', statementTimeoutMs: MAX_STATEMENT_MS });
  await indexMarked(context.pool);
  return applied;
}

/** What can be gone back to when the new version disappoints: there are no migrations down. Not for a first migration. */
async function makeRestorePoint(config: Config): Promise<void> {
  if (!(await isUpgrade(config))) return;
  if (config.backupFolder === undefined) {
    console.error('no restore point is made: BACKUP_FOLDER is not set (docs/upgrading.md)');
    return;
  }
  const { dumpFile } = await backUp(config, config.backupFolder, 'restore-point').catch((error: unknown) => {
    throw new Error(
      'there is no restore point, so nothing was changed; with --without-backup it is done all the same (docs/upgrading.md)',
      {
        cause: error,
      },
    );
  });
  console.error(`restore point: ${dumpFile}`);
}

async function isUpgrade(config: Config): Promise<boolean> {
  await using context = openContext(config, { name: 'migrate' });
  const { rows } = await context.pool.query("SELECT to_regclass('migrations') IS NOT NULL AS there");
  return rows[0]?.there === true && (await listPendingMigrations(context.pool)).length > 0;
}
