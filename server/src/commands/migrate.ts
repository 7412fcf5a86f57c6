import { refreshSearch } from '../catalog/refresh-search.ts';
import { openContext } from '../context.ts';
import { migrate } from '../db/migrate.ts';
import { migrateTimedJobs } from '../jobs/timed.ts';
import { transaction } from '../db/transaction.ts';
import type { Command } from './command.ts';

const LONGEST_STATEMENT_MS = 600_000;

export const migrateCommand: Command = {
  usage: ['migrate'],
  summary: 'bring the database to the schema of this version',
  async run(_args, config) {
    const applied = await migrate(config.databaseUrl);
    for (const name of applied) console.log(`applied ${name}`);
    await migrateTimedJobs(config.databaseUrl);
    if (applied.length === 0) console.log('the schema is up to date');
    // A migration that changes what is searched marks what it concerns; nothing else may move the catalogue for weeks.
    await using context = openContext(config, { name: 'migrate', statementTimeoutMs: LONGEST_STATEMENT_MS });
    await transaction(context.pool, refreshSearch);
  },
};
