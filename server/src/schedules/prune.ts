import type { Pool } from 'pg';
import { pruneBroadcasts } from '../catalog/broadcasts.ts';
import { idsScheduledStations } from '../catalog/schedule-rules.ts';

/** What was on air longer ago is of no use: a player asks for yesterday, a person for last month. */
const KEPT = { hours: 24 * 40 };
const STATIONS_AT_ONCE = 100;
const ROWS_OF_EACH = 100;

interface Run {
  pool: Pool;
  now: Temporal.Instant;
  signal?: AbortSignal | undefined;
}

/** Deletes what was on air long ago, some thousand rows a statement; returns how many. Several may run at once. */
export async function pruneSchedules(run: Run): Promise<number> {
  let [total, after] = [0, 0];
  while (!run.signal?.aborted) {
    const stations = await idsScheduledStations(run.pool, { after, limit: STATIONS_AT_ONCE });
    const last = stations.at(-1);
    if (last === undefined) break;
    after = last;
    total += await pruneSome(run, stations);
  }
  return total;
}

async function pruneSome(run: Run, stations: readonly number[]): Promise<number> {
  const range = { before: run.now.subtract(KEPT), mostEach: ROWS_OF_EACH };
  let total = 0;
  for (let left = stations; left.length > 0 && !run.signal?.aborted;) {
    const { deleted, unfinished } = await pruneBroadcasts(run.pool, left, range);
    total += deleted;
    left = unfinished;
  }
  return total;
}
