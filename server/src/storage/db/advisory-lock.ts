import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase } from 'pg';

/** Each is held by one of all processes that share a database; the numbers only have to be ours and distinct. */
export const LOCKS = {
  migrate: 7_265_330_001,
  import: 7_265_330_002,
  forget: 7_265_330_003,
  edit: 7_265_330_004,
  backup: 7_265_330_005,
  verify: 7_265_330_006,
} as const;

/**
 * Held to the end of a transaction that decides which station a stream or record belongs to: a batch of an import, or an
 * operator's change. Each waits for the other, so that neither writes what the other has just moved.
 */
export async function holdStationsStill(client: ClientBase): Promise<void> {
  await client.query('SELECT pg_advisory_xact_lock($1)', [LOCKS.edit]);
}

/** PostgreSQL takes a moment to notice that a holder was killed, and keeps its lock until then. */
const MAX_WAIT_MS = 15_000;

/** True once this connection holds the lock, until it is closed at the latest; false when another one keeps it. */
export async function takeLock(client: ClientBase, lock: number, maxWaitMs = MAX_WAIT_MS): Promise<boolean> {
  const deadline = performance.now() + maxWaitMs;
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [
      lock,
    ]);
    if (rows[0]?.taken) return true;
    if (performance.now() > deadline) return false;
    await sleep(100);
  }
}
