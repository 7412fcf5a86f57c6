import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';

const LOCK = "hashtext('longwave'), hashtext('import places')";
/** PostgreSQL takes a moment to notice that an import was killed, and holds the lock until then. */
const PATIENCE_MS = 15_000;

/**
 * One connection for the whole import: it holds the lock and the temporary tables, and when it is lost all of that is.
 * It is closed afterwards rather than given back, for the same reason.
 */
export async function withImportSession<T>(
  pool: Pool,
  work: (client: PoolClient) => Promise<T>,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  const client = await pool.connect();
  try {
    await takeLock(client, patienceMs);
    await client.query("SET statement_timeout = '2min'");
    return await work(client);
  } finally {
    client.release(true);
  }
}

async function takeLock(client: PoolClient, patienceMs: number): Promise<void> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>(`SELECT pg_try_advisory_lock(${LOCK}) AS taken`);
    if (rows[0]?.taken) return;
    if (performance.now() > deadline) {
      throw new Error('places are being imported into this database already; wait until that import ends');
    }
    await sleep(100);
  }
}

export async function inTransaction<T>(client: PoolClient, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN');
  try {
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    // A connection that cannot roll back is closed by the session, which rolls back too.
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
