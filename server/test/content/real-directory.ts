import { buildSnapshot } from '../../src/core/directory/snapshot/build-snapshot.ts';
import type { Snapshot } from '../../src/core/directory/snapshot/snapshot.ts';
import type { Pool } from 'pg';
import { poolOf } from '../database/database-server.ts';
import { realDatabase } from '../database/made-databases.ts';

export interface RealDirectory extends AsyncDisposable {
  pool: Pool;
  snapshot: Snapshot;
}

/** The real stations in memory, of a database that tests share and only read. */
export async function realDirectory(): Promise<RealDirectory> {
  const databaseUrl = await realDatabase();
  const pool = poolOf(databaseUrl, 4);
  return {
    pool,
    snapshot: await buildSnapshot(pool),
    [Symbol.asyncDispose]: () => pool.end(),
  };
}
