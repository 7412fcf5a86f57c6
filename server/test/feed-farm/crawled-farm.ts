import type { Pool } from 'pg';
import { waitUntil } from '../../../scripts/services/service.ts';
import { migrateTimedJobs } from '../../src/workers/runner/timed.ts';
import { testDatabaseWithPlaces, type TestDatabase } from '../database/database.ts';
import { type Delays, type Farm, startFarm } from './farm.ts';
import { listFarm } from './fill.ts';

/** Whatever was read is due much later than this, whatever is claimed or put off much sooner. */
const SOON = '10 minutes';

/** A farm, and a database in which its feeds are listed and due. */
export interface CrawledFarm extends AsyncDisposable {
  farm: Farm;
  database: TestDatabase;
  pool: Pool;
  /** By the numbers of the feeds. */
  showIds: number[];
  /** Fresh feeds tell more, and all feeds are due that are not gone for good. */
  nextRound(): Promise<void>;
  /** How many feeds are still to be read in this round. */
  left(): Promise<number>;
  /** Returns when all are read, with how long that took. */
  isRead(withinMs: number): Promise<number>;
}

export async function openCrawledFarm(feeds: number, delays: Delays): Promise<CrawledFarm> {
  await using opened = new AsyncDisposableStack();
  const farm = opened.use(await startFarm(feeds, delays));
  const database = opened.use(await testDatabaseWithPlaces());
  const { pool } = database;
  await migrateTimedJobs(database.url);
  const showIds = await listFarm(pool, farm);
  const left = async (): Promise<number> => {
    const { rows } = await pool.query<{ left: number }>(
      `SELECT count(*) AS left FROM feeds WHERE gone_at IS NULL AND next_due_at < now() + interval '${SOON}'`,
    );
    return rows[0]?.left ?? 0;
  };
  const kept = opened.move();
  return {
    farm,
    database,
    pool,
    showIds,
    left,
    async nextRound() {
      await farm.nextRound();
      await pool.query('UPDATE feeds SET next_due_at = now() WHERE gone_at IS NULL');
    },
    async isRead(withinMs) {
      const started = performance.now();
      await waitUntil('all feeds to be read', async () => (await left()) === 0, withinMs);
      return performance.now() - started;
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
