import type { Pool, PoolClient } from 'pg';

export interface ReadingLimits {
  deadlineMs: number;
  signal?: AbortSignal | undefined;
}

/**
 * Reads in one transaction that sees one state of the database, whatever is committed meanwhile. At the deadline or on
 * the signal the connection is closed, which is the one way to end a query on a network that has gone silent.
 */
export async function readConsistently<T>(
  pool: Pool,
  limits: ReadingLimits,
  read: (db: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  // Without a listener, a connection that breaks between two queries would end the process.
  client.on('error', ignore);
  let intact = false;
  try {
    const result = await within(limits, inTransaction(client, limits.deadlineMs, read));
    intact = true;
    return result;
  } finally {
    if (intact) client.off('error', ignore);
    // A connection in an unknown state is closed; PostgreSQL rolls back what it had begun.
    client.release(!intact);
  }
}

async function inTransaction<T>(
  client: PoolClient,
  deadlineMs: number,
  read: (db: PoolClient) => Promise<T>,
): Promise<T> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  await client.query(`SET LOCAL statement_timeout = ${Math.ceil(deadlineMs)}`);
  const result = await read(client);
  await client.query('COMMIT');
  return result;
}

async function within<T>({ deadlineMs, signal }: ReadingLimits, work: Promise<T>): Promise<T> {
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(new Error('the reading was stopped'));
  const late = new Error(`PostgreSQL did not answer within ${deadlineMs / 1000} seconds`);
  const timer = setTimeout(reject, deadlineMs, late);
  signal?.addEventListener('abort', stop);
  if (signal?.aborted) stop();
  try {
    return await Promise.race([work, ended]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

const ignore = (): void => undefined;
