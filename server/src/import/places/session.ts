import type { Pool, PoolClient } from 'pg';
import { LOCKS, takeLock } from '../../db/advisory-lock.ts';
import { importRunning } from '../../intake/import-lock.ts';

/**
 * One connection for the whole import: it holds the lock and the temporary tables, and when it is lost all of that is.
 * It is closed afterwards rather than given back, for the same reason.
 */
export async function withImportSession<T>(
  pool: Pool,
  work: (client: PoolClient) => Promise<T>,
  patienceMs?: number,
): Promise<T> {
  const client = await pool.connect();
  try {
    if (!(await takeLock(client, LOCKS.import, patienceMs))) throw importRunning();
    await client.query("SET statement_timeout = '2min'");
    return await work(client);
  } finally {
    client.release(true);
  }
}
