import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { dropDatabase, onServer, poolOf, urlOf, whenUnused } from './database-server.ts';
import { distributeCopy, dropCopies, isOnCitus } from '../distributed/test-copies.ts';
import { ensurePlacesTemplate, ensureSeededTemplate, ensureTemplate } from './made-databases.ts';

export interface TestDatabase extends AsyncDisposable {
  url: string;
  pool: Pool;
}

/** A database of this test file's own, cloned from a migrated template in some tens of milliseconds. */
export const testDatabase = async (): Promise<TestDatabase> => clone(await ensureTemplate());

/** The same with the world's places in it. */
export const testDatabaseWithPlaces = async (): Promise<TestDatabase> => clone(await ensurePlacesTemplate());

/** And with the stations of the small fictional directory, imported as an operator would. */
export const seededDatabase = async (): Promise<TestDatabase> => clone(await ensureSeededTemplate());

async function clone(template: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onServer((client) =>
    whenUnused(client, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`),
  );
  const url = urlOf(name);
  if (isOnCitus()) await distributeCopy(name);
  const pool = poolOf(url, 8);
  return {
    url,
    pool,
    async [Symbol.asyncDispose]() {
      await pool.end();
      await dropDatabase(name);
      if (isOnCitus()) await dropCopies(name);
    },
  };
}
