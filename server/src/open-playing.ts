import type { Pool } from 'pg';
import { databaseName } from './db/database-name.ts';
import { DueLoop, type JobSurroundings } from './jobs/due-job.ts';
import { systemClock } from './lib/clock.ts';
import type { SafeFetcher } from './lib/fetch-safely/fetch-safely.ts';
import type { Log } from './lib/log.ts';
import { nowPlayingJob } from './nowplaying/now-playing.ts';
import { MemoryStore } from './playing/memory-store.ts';
import { RedisStore } from './playing/redis-store.ts';
import { songHistory } from './playing/song-history.ts';
import type { PlayingStore } from './playing/store.ts';

/** In Redis where there is one, shared by all processes of this database; else in this process alone. */
export async function openPlayingStore(
  redisUrl: string | undefined,
  { pool, log }: { pool: Pool; log: Log },
): Promise<PlayingStore> {
  if (redisUrl === undefined) return new MemoryStore();
  // Stations are named by numbers of a database: two that share a Redis must not hear of each other's.
  // News are told over all databases of a Redis, so its number belongs to the name.
  const whose = `${await databaseName(pool)}${new URL(redisUrl).pathname}`;
  return new RedisStore({ url: redisUrl, log, prefix: `{longwave:${whose}}:playing:` });
}

export interface PollingNeeds extends JobSurroundings {
  store: PlayingStore;
  pool: Pool;
  fetcher: SafeFetcher;
  stationsAtOnce: number;
  /** How long the stations of a poller wait that has died. */
  leaseMs?: number | undefined;
}

/** Asks stations what they play until it is disposed of. */
export function startPolling(needs: PollingNeeds): AsyncDisposable {
  const { pool, log, stationsAtOnce: atOnce, leaseMs } = needs;
  const keep = songHistory(pool);
  const job = { ...needs, db: pool, clock: systemClock, log, chance: Math.random, keep };
  return new DueLoop(nowPlayingJob(job, { atOnce, leaseMs }), needs);
}
