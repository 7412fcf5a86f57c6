import type { Pool } from 'pg';
import { pruneSongs } from '../catalog/songs.ts';
import type { TimedJob } from '../jobs/timed.ts';
import { systemClock } from '../lib/clock.ts';

/** Once a day: what was played long ago, on stations of which nothing was heard since. */
export const forgetSongsJob = ({ pool }: { pool: Pool }): TimedJob => ({
  name: 'forget-songs',
  at: '43 4 * * *',
  async work(signal) {
    await pruneSongs(pool, systemClock.now(), signal);
    return 'done';
  },
});
