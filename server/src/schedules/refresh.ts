import { type DueSchedule, recordFailure, recordReading } from '../catalog/due-schedules.ts';
import { guideId } from '../lib/guide-id.ts';
import type { Log } from '../lib/log.ts';
import { ReadingError } from './ask-address.ts';
import { waitAfterFailure } from './next-reading.ts';
import { type ScheduleNeeds, readAddress } from './read-address.ts';

/** Reads a schedule again and writes down when next. Throws only when that cannot be written, or the signal says stop. */
export async function refreshSchedule(
  needs: ScheduleNeeds & { log: Log },
  due: DueSchedule,
  signal?: AbortSignal,
): Promise<'new' | 'same' | 'failed'> {
  try {
    const { reading, saved } = await readAddress(needs, due, signal);
    await recordReading(needs.pool, due, reading);
    return saved?.isNew === true ? 'new' : 'same';
  } catch (error) {
    signal?.throwIfAborted();
    await fail(needs, due, error);
    return 'failed';
  }
}

async function fail(
  { pool, log }: ScheduleNeeds & { log: Log },
  due: DueSchedule,
  error: unknown,
): Promise<void> {
  const trouble = error instanceof Error ? error.message : String(error);
  const asked = error instanceof ReadingError ? error.retryAfterSeconds : 0;
  const waitSeconds = waitAfterFailure(due.failures, asked);
  await recordFailure(pool, due, { waitSeconds, trouble });
  log.warn(
    { station: guideId('s', due.stationId), failures: due.failures + 1, waitSeconds, trouble },
    'a schedule could not be read; what was known of it stays',
  );
}
