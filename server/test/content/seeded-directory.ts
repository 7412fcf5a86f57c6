import { openDirectory, type Directory } from '../../src/core/directory/directory.ts';
import { createLog } from '../../src/lib/log.ts';
import { seededDatabase, type TestDatabase } from '../database/database.ts';

export interface SeededDirectory extends AsyncDisposable {
  database: TestDatabase;
  directory: Directory;
}

/** The small fictional directory, imported and loaded as a real one is. */
export async function seededDirectory(): Promise<SeededDirectory> {
  const database = await seededDatabase();
  const { pool, url } = database;
  const directory = await openDirectory({ pool, databaseUrl: url, log: createLog({ level: 'silent' }) });
  return {
    database,
    directory,
    async [Symbol.asyncDispose]() {
      await directory[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}
