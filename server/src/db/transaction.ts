import type { Pool, PoolClient } from 'pg';
import { SaveAttempt } from '../lib/save-attempt.ts';

/**
 * Runs `work` in one transaction on a connection held anyway; commits when it returns, rolls back when it throws. A
 * connection whose transaction could not be ended is closed, and whoever uses it next is told so.
 */
export async function inTransaction<T>(client: PoolClient, work: () => Promise<T>): Promise<T> {
  try {
    await client.query('BEGIN');
    const result = await work();
    const { command } = await SaveAttempt.commit(() => client.query('COMMIT'));
    // PostgreSQL answers a COMMIT after a failed statement, whose error nobody passed on, by rolling back.
    if (command !== 'COMMIT')
      throw new Error(
        'nothing was saved: a statement of the transaction had failed, and the work went on all the same',
      );
    return result;
  } catch (error) {
    await rollBack(client);
    throw error;
  }
}

/** It takes no time by itself; where it must wait for a statement that is not answered either, closing is as good. */
const ROLLBACK = { text: 'ROLLBACK', query_timeout: 2000 };

/**
 * An answer to ROLLBACK is the one proof that the connection is as good as new. Where none comes, as on a network that has
 * gone silent, nothing is known of it, not even whether the ROLLBACK was sent: pg drops what waited too long for its turn.
 * Given back, the next who save on it would do so in a transaction that never ends, or would commit this one.
 */
async function rollBack(client: PoolClient): Promise<void> {
  try {
    await client.query(ROLLBACK);
  } catch {
    client.end().catch(() => undefined);
  }
}

/** The same on a connection of the pool's, which takes none back that was closed. */
export async function transaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    return await inTransaction(client, () => work(client));
  } finally {
    client.release();
  }
}
