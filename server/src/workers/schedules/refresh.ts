import type { Pool } from 'pg';
import { type SavedSchedule, type ScheduleToSave, unknownFormat } from '../../core/on-air/save-schedule.ts';
import { FORMATS } from '../../formats/schedule/parse.ts';
import { guideId } from '../../lib/guide-id.ts';
import type { Log } from '../../lib/log.ts';
import { checkAddress } from '../../net/fetch/policy.ts';
import {
  type DueSchedule,
  removeScheduleAddress,
  keepScheduleAddress,
  recordFailure,
  recordReading,
} from '../../storage/catalog/schedules/due-schedules.ts';
import { endRules } from '../../storage/catalog/schedules/schedule-rules.ts';
import { transaction } from '../../storage/db/transaction.ts';
import { ReadingError } from './ask-address.ts';
import { FIRST_INTERVAL, readAddress, type ScheduleDeps, waitAfterFailure } from './read-address.ts';

/**
 * Reads a schedule again and saves when it is due next. Throws only when that cannot be saved, or the signal aborts.
 */
export async function refreshSchedule(
  deps: ScheduleDeps & { log: Log },
  due: DueSchedule,
  signal?: AbortSignal,
): Promise<'new' | 'same' | 'failed'> {
  try {
    const { reading, saved } = await readAddress(deps, due, signal);
    await recordReading(deps.pool, due, reading);
    return saved?.isNew === true ? 'new' : 'same';
  } catch (error) {
    signal?.throwIfAborted();
    await fail(deps, due, error);
    return 'failed';
  }
}

async function fail(
  { pool, log }: ScheduleDeps & { log: Log },
  due: DueSchedule,
  error: unknown,
): Promise<void> {
  const trouble = error instanceof Error ? error.message : String(error);
  const asked = error instanceof ReadingError ? error.retryAfterSeconds : 0;
  const waitSeconds = waitAfterFailure(due.failures, asked);
  await recordFailure(pool, due, { waitSeconds, trouble });
  log.warn(
    { station: guideId('s', due.stationId), failures: due.failures + 1, waitSeconds, trouble },
    'could not read a schedule; the previous one stays in place',
  );
}

interface ScheduleToFollow extends Pick<ScheduleToSave, 'stationId' | 'format' | 'zone' | 'channel'> {
  address: string;
}

export interface FollowedSchedule extends SavedSchedule {
  intervalSeconds: number;
}

/**
 * Reads a station's schedule at an address and saves the address, to be read again; one that cannot be read is not
 * saved.
 */
export async function followSchedule(deps: ScheduleDeps, asked: ScheduleToFollow): Promise<FollowedSchedule> {
  if (asked.format !== undefined && !FORMATS.includes(asked.format)) throw unknownFormat(asked.format);
  checkAddress(asked.address);
  const { stationId, format, zone, channel } = asked;
  const schedule = { stationId, format, zone, channel };
  const first = { address: asked.address, intervalSeconds: FIRST_INTERVAL, answers: {}, digest: undefined };
  const { reading, saved } = await readAddress(deps, { ...schedule, ...first });
  if (!saved) throw new Error('an unconditional read returned no schedule');
  await keepScheduleAddress(deps.pool, schedule, reading);
  return { ...saved, intervalSeconds: reading.intervalSeconds };
}

/** Stops reading and extending it; the known broadcasts of the coming days stay. False when there was none. */
export const unfollowSchedule = (pool: Pool, stationId: number): Promise<boolean> =>
  transaction(pool, async (client) => {
    const [hadAddress, hadRules] = [
      await removeScheduleAddress(client, stationId),
      await endRules(client, stationId),
    ];
    return hadAddress || hadRules;
  });
