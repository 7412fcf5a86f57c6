import type { Pool, PoolClient } from 'pg';
import { LOCKS, takeLock } from '../db/advisory-lock.ts';

/**
 * One connection for the whole import: it holds the lock and whatever else belongs to the import. All of it is written on
 * this connection and no other, so that an import whose lock is lost cannot write beside the next one that takes it. It
 * is closed afterwards rather than given back, for the same reason.
 */
export async function withImportSession<T>(
  pool: Pool,
  work: (client: PoolClient) => Promise<T>,
  patienceMs?: number,
): Promise<T> {
  const client = await pool.connect();
  try {
    if (!(await takeLock(client, LOCKS.import, patienceMs))) throw importRunning();
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
    'the connection to PostgreSQL was lost, and with it the right to import; what was written before stays: start again',
    { cause },
  );

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
