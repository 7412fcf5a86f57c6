import { createPool } from '../src/db/pool.ts';
import { buildSnapshot } from '../src/directory/build-snapshot.ts';
import type { Snapshot } from '../src/directory/snapshot.ts';
import type { Pool } from 'pg';
import { realDatabase } from './made-databases.ts';

export interface RealDirectory extends AsyncDisposable {
  pool: Pool;
  snapshot: Snapshot;
}

/** The real stations in memory, of a database that tests share and only read. */
export async function realDirectory(): Promise<RealDirectory> {
  const databaseUrl = await realDatabase();
  const pool = createPool({ databaseUrl, size: 4, applicationName: 'test', statementTimeoutMs: 60_000 });
  return {
    pool,
    snapshot: await buildSnapshot(pool),
    [Symbol.asyncDispose]: () => pool.end(),
  };
}
