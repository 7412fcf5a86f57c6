import type { Pool } from 'pg';
import type { Log } from '../../lib/log.ts';
import { bumpCatalogue } from '../../storage/catalog/stations/version.ts';
import { unscheduleStreams, scheduleStreams } from '../../storage/catalog/streams/due-streams.ts';
import { hasStreamNews } from '../../storage/catalog/streams/stream-checks.ts';
import { transaction } from '../../storage/db/transaction.ts';
import type { TimedJob } from '../runner/timed.ts';

interface TimedDeps {
  pool: Pool;
  log: Log;
}

/** Schedules probes for streams that imports added, and stops those of streams that imports unlisted. */
export const scheduleStreamsJob = ({ pool, log }: TimedDeps): TimedJob => ({
  name: 'enlist-streams',
  at: '*/5 * * * *',
  async work(signal) {
    const [added, gone] = [await scheduleStreams(pool, signal), await unscheduleStreams(pool, signal)];
    if (added + gone > 0) log.info({ added, gone }, 'updated the list of streams to probe');
    return 'done';
  },
});

/**
 * Tune sees changes within seconds, from a board. Menus are made from the whole directory, which is reloaded when the
 * catalogue's version changes: for checks and complaints at most this often.
 */
export const announceJob = ({ pool }: TimedDeps): TimedJob => ({
  name: 'announce-stream-news',
  at: '*/10 * * * *',
  work: () => announceStreamNews(pool),
});

export async function announceStreamNews(pool: Pool): Promise<'moved' | 'nothing'> {
  if (!(await hasStreamNews(pool))) return 'nothing';
  await transaction(pool, bumpCatalogue);
  return 'moved';
}
