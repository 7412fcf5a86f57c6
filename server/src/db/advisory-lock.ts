import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase } from 'pg';

/** Held by one process of all that share a database; the numbers only have to be ours and different. */
export const LOCKS = { migrate: 7_265_330_001, import: 7_265_330_002, forget: 7_265_330_003 } as const;

/** PostgreSQL takes a moment to notice that a holder was killed, and keeps its lock until then. */
const PATIENCE_MS = 15_000;

/** True once this connection holds the lock, which ends with it at the latest; false when someone else keeps it. */
export async function takeLock(client: ClientBase, lock: number, patienceMs = PATIENCE_MS): Promise<boolean> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [
      lock,
    ]);
    if (rows[0]?.taken) return true;
    if (performance.now() > deadline) return false;
    await sleep(100);
  }
}
