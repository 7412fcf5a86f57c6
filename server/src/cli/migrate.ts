import { markRefolded } from '../storage/catalog/search/refold-search.ts';
import { refreshSearch } from '../storage/catalog/search/refresh-search.ts';
import type { Config } from '../app/config.ts';
import { openContext } from '../app/context.ts';
import { migrate } from '../storage/db/migrate.ts';
import { migrateTimedJobs } from '../workers/runner/timed.ts';
import { transaction } from '../storage/db/transaction.ts';
import type { Command } from './command.ts';

const MAX_STATEMENT_MS = 600_000;

export const migrateCommand: Command = {
  usage: ['migrate'],
  summary: 'update the database schema to this version',
  async run(_args, config) {
    const applied = await migrateSchema(config);
    for (const name of applied) console.log(`applied ${name}`);
    if (applied.length === 0) console.log('the schema is up to date');
  },
};

/** The names of the migrations that were applied. */
export async function migrateSchema(config: Config): Promise<readonly string[]> {
  const applied = await migrate(config.databaseUrl);
  await migrateTimedJobs(config.databaseUrl);
  // A migration that changes searchable columns marks the affected rows; without this step they might stay unindexed
  // for weeks.
  await using context = openContext(config, { name: 'migrate', statementTimeoutMs: MAX_STATEMENT_MS });
  await transaction(context.pool, async (client) => {
    await markRefolded(client);
    await refreshSearch(client);
  });
  return applied;
}
