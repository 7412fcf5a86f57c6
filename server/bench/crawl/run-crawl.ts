import type { Pool } from 'pg';
import type { CrawledFarm } from '../../test/feed-farm/crawled-farm.ts';
import { startWorker } from '../../test/feed-farm/workers.ts';
import type { CrawlPass } from './pass.ts';

const LEASE_SECONDS = 120;
const MAX_MS = 3_600_000;

/** One worker process reads everything that is due. */
export async function crawlOnce(crawled: CrawledFarm, concurrency: number): Promise<CrawlPass> {
  const { database, pool, farm } = crawled;
  const before = await databaseMs(pool);
  const worker = await startWorker({ databaseUrl: database.url, concurrency, leaseSeconds: LEASE_SECONDS });
  let wallMs: number;
  try {
    wallMs = await crawled.isRead(MAX_MS);
  } finally {
    await worker[Symbol.asyncDispose]();
  }
  const { cpuMs, mainCpuMs, fetchMs } = worker.took;
  const spent = (await databaseMs(pool)) - before;
  return { feeds: farm.feeds, wallMs, cpuMs, parseMs: cpuMs - mainCpuMs, fetchMs, databaseMs: spent };
}

/** PostgreSQL updates a connection's statistics when it ends or is idle. */
async function databaseMs(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ ms: number }>(
    'SELECT active_time AS ms FROM pg_stat_database WHERE datname = current_database()',
  );
  return rows[0]?.ms ?? 0;
}
