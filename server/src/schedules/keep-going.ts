import type { Pool } from 'pg';
import type { Clock } from '../lib/clock.ts';
import { guideId } from '../lib/guide-id.ts';
import type { Log } from '../lib/log.ts';
import { extendSchedules } from './extend.ts';
import { pruneSchedules } from './prune.ts';

export interface GoingOn {
  /** Stations whose rules were let go on. */
  stations: number;
  /** Broadcasts of long ago that were deleted. */
  pruned: number;
}

/** Once a day: rules reach three weeks ahead again, and what was on air long ago goes. */
export async function keepSchedulesGoing(
  { pool, clock, log }: { pool: Pool; clock: Clock; log: Log },
  signal?: AbortSignal,
): Promise<GoingOn> {
  const onTrouble = (stationId: number, error: unknown): void =>
    log.warn(
      { err: error, station: guideId('s', stationId) },
      'a rule of a schedule cannot be read and is left out; import the schedule again',
    );
  const now = clock.now();
  const stations = await extendSchedules({ pool, now, onTrouble, signal });
  return { stations, pruned: await pruneSchedules({ pool, now, signal }) };
}
