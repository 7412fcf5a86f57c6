import type { Pool, PoolClient } from 'pg';
import { LOCKS, takeLock } from '../../storage/db/advisory-lock.ts';

/**
 * Runs an import on one connection, which holds the lock. All writes go through it, so that an import that loses its
 * lock cannot write concurrently with the next one. It is closed afterwards rather than returned to the pool, for the
 * same reason.
 */
export async function withImportSession<T>(
  pool: Pool,
  work: (client: PoolClient) => Promise<T>,
  maxWaitMs?: number,
): Promise<T> {
  const client = await pool.connect();
  try {
    if (!(await takeLock(client, LOCKS.import, maxWaitMs))) throw importRunning();
    return await work(client);
  } catch (error) {
    throw (await isLost(client)) ? connectionLost(error) : error;
  } finally {
    client.release(true);
  }
}

const isLost = (client: PoolClient): Promise<boolean> =>
  client.query(STILL_THERE).then(
    () => false,
    () => true,
  );

const STILL_THERE = { text: 'SELECT', query_timeout: 2000 };

const connectionLost = (cause: unknown): Error =>
  new Error(
    'the connection to PostgreSQL was lost, and with it the import lock; batches already written stay: run the import again',
    { cause },
  );

const importRunning = (): Error =>
  new Error(
    'another import is running on this database; wait for it to end, or stop it, then run this one again',
  );

/**
 * Ids drawn by a batch that was never committed were never used. Resetting the sequences makes an interrupted import
 * end in the very same rows, ids included, as one that was not. The lock waits for any insert under way.
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
