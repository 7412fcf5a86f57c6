import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { isOnCitus } from '../distributed/test-copies.ts';

/** On Citus a statement waits on the worker that has the row. */
const ACTIVITY = isOnCitus() ? 'citus_stat_activity' : 'pg_stat_activity';

/** Until so many statements wait for a lock, or `otherwise` is over because they do not. */
export async function waitingForLock(pool: Pool, count = 1, otherwise?: Promise<unknown>): Promise<void> {
  const state = { isOver: false };
  const end = (): void => void (state.isOver = true);
  otherwise?.then(end, end);
  while (!state.isOver) {
    const { rows } = await pool.query(
      `SELECT count(*)::int4 AS waiting FROM ${ACTIVITY}
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    if (rows[0].waiting >= count) return;
    await sleep(5);
  }
}
