import type { Pool, PoolClient } from 'pg';
import { LOCKS, takeLock } from '../db/advisory-lock.ts';

/** Holds the import lock until disposed; PostgreSQL lets go of it by itself when this process dies. */
export async function takeImportLock(pool: Pool): Promise<AsyncDisposable> {
  const client = await pool.connect();
  if (!(await takeLock(client, LOCKS.import))) {
    client.release();
    throw importRunning();
  }
  return {
    async [Symbol.asyncDispose]() {
      await client.query('SELECT pg_advisory_unlock($1)', [LOCKS.import]);
      client.release();
    },
  };
}

export const importRunning = (): Error =>
  new Error('another import is running on this database; wait for it to end, or stop it, and start again');

/**
 * Numbers drawn by a batch that was never committed were never given to anyone. Taking them back makes an interrupted
 * import end in the very rows, ids included, of one that was not. The lock waits for whoever is adding a row just now.
 */
export async function reclaimUnusedIds(client: PoolClient): Promise<void> {
  for (const [table, column] of [
    ['stations', 'id'],
    ['streams', 'id'],
    ['station_records', 'ordinal'],
  ] as const) {
    await client.query(`LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`);
    await client.query(
      `SELECT setval(pg_get_serial_sequence('${table}', '${column}'), coalesce(max(${column}), 0) + 1, false)
       FROM ${table}`,
    );
  }
}
