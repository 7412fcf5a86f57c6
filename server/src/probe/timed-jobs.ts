import type { Pool } from 'pg';
import { dismissStreams, enlistStreams } from '../catalog/enlist-streams.ts';
import { hasStreamNews } from '../catalog/stream-checks.ts';
import { bumpCatalogue } from '../catalog/version.ts';
import { transaction } from '../db/transaction.ts';
import type { TimedJob } from '../jobs/timed.ts';
import type { Log } from '../lib/log.ts';

export interface TimedNeeds {
  pool: Pool;
  log: Log;
}

/** Streams that imports brought are listened to from then on, those they took off the lists no more. */
export const enlistJob = ({ pool, log }: TimedNeeds): TimedJob => ({
  name: 'enlist-streams',
  at: '*/5 * * * *',
  async work(signal) {
    const [added, gone] = [await enlistStreams(pool, signal), await dismissStreams(pool, signal)];
    if (added + gone > 0) log.info({ added, gone }, 'streams to listen to');
    return 'done';
  },
});

/**
 * Tune hears of news within seconds, from a board. Menus are made of the whole directory, which is read anew when the
 * catalogue's version moves: for checks and complaints at most this often.
 */
export const announceJob = ({ pool }: TimedNeeds): TimedJob => ({
  name: 'announce-stream-news',
  at: '*/10 * * * *',
  work: () => announceStreamNews(pool),
});

export async function announceStreamNews(pool: Pool): Promise<'moved' | 'nothing'> {
  if (!(await hasStreamNews(pool))) return 'nothing';
  await transaction(pool, bumpCatalogue);
  return 'moved';
}
