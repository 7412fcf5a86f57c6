import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';

/** One import at a time, whoever starts it; the number only has to be ours. */
const LOCK = 7_265_330_002;
/** The lock of an import that was killed goes when PostgreSQL notices, which takes a moment. */
const PATIENCE_MS = 15_000;

/** Holds the import lock until disposed; PostgreSQL lets go of it by itself when this process dies. */
export async function takeImportLock(pool: Pool): Promise<AsyncDisposable> {
  const client = await pool.connect();
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await tryLock(client))) {
    if (performance.now() > deadline) {
      client.release();
      throw new Error(
        'another import is running on this database; wait for it to end, or stop it, and start again',
      );
    }
    await sleep(200);
  }
  return {
    async [Symbol.asyncDispose]() {
      await client.query('SELECT pg_advisory_unlock($1)', [LOCK]);
      client.release();
    },
  };
}

async function tryLock(client: PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [LOCK]);
  return rows[0]?.taken ?? false;
}

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
