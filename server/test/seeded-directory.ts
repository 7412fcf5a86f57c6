import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { openDirectory, type Directory } from '../src/directory/directory.ts';
import { readRadioBrowser } from '../src/import/radio-browser/read-file.ts';
import { importStations } from '../src/intake/import-stations.ts';
import { createLog } from '../src/lib/log.ts';
import { testDatabaseWithPlaces, type TestDatabase } from './database.ts';

export const SEED_FILE = join(import.meta.dirname, 'seed/stations.jsonl');

export interface SeededDirectory extends AsyncDisposable {
  database: TestDatabase;
  directory: Directory;
}

/** The small fictional directory, imported and loaded as a real one is. */
export async function seededDirectory(): Promise<SeededDirectory> {
  const database = await testDatabaseWithPlaces();
  const { pool, url } = database;
  await importStations({ pool, source: 'seed', items: readRadioBrowser(createReadStream(SEED_FILE)) });
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
