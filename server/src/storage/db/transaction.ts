import type { Pool, PoolClient } from 'pg';
import { SaveAttempt } from '../../lib/save-attempt.ts';

/**
 * Runs `work` in one transaction on the given connection; commits when it returns, rolls back when it throws. A
 * connection whose transaction could not be ended is closed, so that its next query fails.
 */
export async function inTransaction<T>(client: PoolClient, work: () => Promise<T>): Promise<T> {
  try {
    await client.query('BEGIN');
    const result = await work();
    const { command } = await SaveAttempt.commit(() => client.query('COMMIT'));
    // PostgreSQL answers a COMMIT after a failed statement, whose error was swallowed, by rolling back.
    if (command !== 'COMMIT')
      throw new Error('nothing was saved: a statement of the transaction failed, and its error was ignored');
    return result;
  } catch (error) {
    await rollBack(client);
    throw error;
  }
}

/** A ROLLBACK takes no time; if it waits for a statement that does not return, closing the connection is as good. */
const ROLLBACK = { text: 'ROLLBACK', query_timeout: 2000 };

/**
 * A response to ROLLBACK is the only proof that the connection is usable again. Without one, as on a network that has
 * gone silent, its state is unknown, even whether the ROLLBACK was sent: pg drops queries that waited too long for
 * their turn. Returned to the pool, its next users would save in a transaction that never ends, or would commit this
 * one.
 */
async function rollBack(client: PoolClient): Promise<void> {
  try {
    await client.query(ROLLBACK);
  } catch {
    client.end().catch(() => undefined);
  }
}

/** The same on a connection from the pool, which does not take back one that was closed. */
export async function transaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    return await inTransaction(client, () => work(client));
  } finally {
    client.release();
  }
}
