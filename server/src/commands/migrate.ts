import { migrate } from '../db/migrate.ts';
import type { Command } from './command.ts';

export const migrateCommand: Command = {
  usage: ['migrate'],
  summary: 'bring the database to the schema of this version',
  async run(_args, { databaseUrl }) {
    const applied = await migrate(databaseUrl);
    for (const name of applied) console.log(`applied ${name}`);
    if (applied.length === 0) console.log('the schema is up to date');
  },
};
