import type { Pool, PoolClient } from 'pg';

/** Runs `work` in one transaction on a connection held anyway; commits when it returns, rolls back when it throws. */
export async function inTransaction<T>(client: PoolClient, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN');
  try {
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    // A rollback fails only on a lost connection: PostgreSQL then rolls back itself, and the pool drops the connection.
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** The same on a connection of the pool's. */
export async function transaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    return await inTransaction(client, () => work(client));
  } finally {
    client.release();
  }
}
