import type { Pool } from 'pg';
import { MemoryStore } from '../core/now-playing/memory-store.ts';
import { RedisStore } from '../core/now-playing/redis-store.ts';
import { songHistory } from '../core/now-playing/song.ts';
import type { PlayingStore } from '../core/now-playing/store.ts';
import { systemClock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { SafeFetcher } from '../net/fetch/fetch-safely.ts';
import { statement } from '../storage/db/statement.ts';
import { nowPlayingJob } from '../workers/polling/now-playing.ts';
import { DueLoop, type JobSurroundings } from '../workers/runner/due-job.ts';

/** In Redis if configured, shared by all processes of this database; otherwise in this process only. */
export async function openPlayingStore(
  redisUrl: string | undefined,
  { pool, log }: { pool: Pool; log: Log },
): Promise<PlayingStore> {
  if (redisUrl === undefined) return new MemoryStore();
  return new RedisStore({ url: redisUrl, log, prefix: `${await redisPrefix(redisUrl, pool)}playing:` });
}

/**
 * Of all keys. Station ids belong to one database, so two databases on one Redis need separate keys. Pub/sub ignores Redis
 * database numbers, so the number is part of the prefix.
 */
export const redisPrefix = async (redisUrl: string, pool: Pool): Promise<string> =>
  `{longwave:${await databaseName(pool)}${new URL(redisUrl).pathname}}:`;

/** PostgreSQL's own name for it, whatever a pooler in between does. */
const databaseName = statement(
  'database-name',
  { name: 'text' },
  'SELECT current_database()::text AS name',
).oneValue();

export interface PollingDeps extends JobSurroundings {
  store: PlayingStore;
  pool: Pool;
  fetcher: SafeFetcher;
  songConcurrency: number;
  /** How long the stations of a crashed poller stay unpolled. */
  leaseMs?: number | undefined;
}

/** Polls stations for their current song until disposed of. */
export function startPolling(deps: PollingDeps): AsyncDisposable {
  const { pool, log, songConcurrency: concurrency, leaseMs } = deps;
  const keep = songHistory(pool);
  const job = { ...deps, db: pool, clock: systemClock, log, chance: Math.random, keep };
  return new DueLoop(nowPlayingJob(job, { concurrency, leaseMs }), deps);
}
