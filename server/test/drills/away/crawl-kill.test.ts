import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openCrawledFarm } from '../../feed-farm/crawled-farm.ts';
import { differenceAfter } from '../../feed-farm/known.ts';
import { type FarmWorker, startWorker } from '../../feed-farm/workers.ts';

/** `CRAWL_FEEDS=10000 CRAWL_KILLS=10 node scripts/test.ts server/test/drills/away/crawl-kill.test.ts` */
const FEEDS = Number(process.env['CRAWL_FEEDS'] ?? 1000);
const KILLS = Number(process.env['CRAWL_KILLS'] ?? 3);
const DELAYS = [300, 2000, 10_000] as const;
/** A feed whose worker was killed waits so long for the other. */
const LEASE_SECONDS = 15;
const ROUND_MS = 120_000 + FEEDS * 60;

test('workers are killed while they crawl: no topic is lost, none is there twice, no host is asked too often', async (t) => {
  await using crawled = await openCrawledFarm(FEEDS, DELAYS);
  const { farm, database, pool, showIds } = crawled;
  const options = { databaseUrl: database.url, concurrency: 50, leaseSeconds: LEASE_SECONDS };
  const workers: FarmWorker[] = [await startWorker(options), await startWorker(options)];
  let round = 1;
  for (let kill = 1; kill <= KILLS; kill += 1) {
    await sleep(randomInt(300, 3000));
    if ((await crawled.left()) === 0) {
      await crawled.nextRound();
      round += 1;
      await sleep(randomInt(200, 1000));
    }
    const victim = randomInt(workers.length);
    await workers[victim]?.kill();
    t.diagnostic(`kill ${kill} in round ${round}: ${await crawled.left()} feeds to be read`);
    workers[victim] = await startWorker(options);
  }
  await crawled.isRead(ROUND_MS);
  for (const worker of workers) await worker[Symbol.asyncDispose]();

  assert.deepEqual(await differenceAfter(pool, showIds, round), { lost: [], unheardOf: [], twice: [] });
  const { mostAtOnce, mostAt, connections } = await farm.report();
  t.diagnostic(`${connections} connections, at most ${mostAtOnce} at once to a host`);
  assert.equal(mostAtOnce, 2, `connections at once to ${mostAt}`);

  await pool.query(
    'DELETE FROM topics t USING (SELECT shard, id FROM topics LIMIT 1) AS one WHERE (t.shard, t.id) = (one.shard, one.id)',
  );
  const { lost } = await differenceAfter(pool, showIds, round);
  assert.equal(lost.length, 1, 'a loss would have been found');
});
