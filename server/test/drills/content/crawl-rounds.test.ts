import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RETRY_AFTER_SECONDS } from '../../feed-farm/answers.ts';
import { keysUntil } from '../../feed-farm/content.ts';
import { type CrawledFarm, openCrawledFarm } from '../../feed-farm/crawled-farm.ts';
import { feedAddress, movedAddress } from '../../feed-farm/hosts.ts';
import { type Kind, kindOf, readableFrom } from '../../feed-farm/kinds.ts';
import { differenceAfter, marksOf } from '../../feed-farm/known.ts';
import type { Report, Request } from '../../feed-farm/ledger.ts';
import { startWorker } from '../../feed-farm/workers.ts';

/** In thousands, of which each has all kinds: `CRAWL_FEEDS=10000 node scripts/test.ts server/test/drills/content/crawl-rounds.test.ts` */
const FEEDS = Number(process.env['CRAWL_FEEDS'] ?? 1000);
const DELAYS = FEEDS >= 10_000 ? ([2000, 4500, 10_000] as const) : ([300, 2000, 10_000] as const);
const ROUND_MS = 60_000 + FEEDS * 60;
const NUMBERS = Array.from({ length: FEEDS }, (_none, number) => number);
const SAME = 0.95;

/** Whether the second round is the first in which a feed tells something, or something more. */
const isNew = (number: number): boolean => kindOf(number) === 'fresh' || readableFrom(number) === 2;
const newTopics = (number: number): number => keysUntil(number, 2).length - keysUntil(number, 1).length;
/** A redirect takes no header along, so what is lent is read whole each time. */
const CAN_SAY_SAME = new Set<Kind>(['tagged', 'dated', 'slow', 'moved', 'huge', 'recoded']);
/** A redirect may lead to a host that others are asking, and is then followed anew. */
const isAnswer = ({ status }: Request): boolean => status !== 301 && status !== 302;
const numbersOf = (kind: Kind): number[] => NUMBERS.filter((number) => kindOf(number) === kind);

interface FeedRow {
  address: string;
  etag: string | null;
  last_modified: string | null;
  digest: string | null;
  changed_at: Temporal.Instant | null;
  next_due_at: Temporal.Instant;
  gone_at: Temporal.Instant | null;
  trouble: string | null;
}

async function feedRows({ pool, showIds }: CrawledFarm): Promise<FeedRow[]> {
  const { rows } = await pool.query<FeedRow & { show_id: number }>(
    `SELECT show_id, feed_address AS address, etag, last_modified, digest, changed_at, next_due_at, gone_at, trouble
     FROM feeds JOIN shows ON shows.id = show_id`,
  );
  const byShow = new Map(rows.map((row) => [row.show_id, row]));
  return showIds.map((id) => byShow.get(id) ?? assert.fail(`show ${id} has no feed`));
}

/** Two workers read all that is due. Stopped in good order, they have written and counted everything. */
async function crawl(crawled: CrawledFarm): Promise<void> {
  const options = { databaseUrl: crawled.database.url, concurrency: 50, leaseSeconds: 60 };
  await using workers = new AsyncDisposableStack();
  for (let worker = 0; worker < 2; worker += 1) workers.use(await startWorker(options));
  await crawled.isRead(ROUND_MS);
}

/** Rows of topics ever written, as the database counts them. */
async function topicsWritten({ pool }: CrawledFarm): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `SELECT sum(n_tup_ins + n_tup_upd + n_tup_del)::int8 AS count FROM pg_stat_user_tables WHERE relname ~ '^topics_'`,
  );
  return rows[0]?.count ?? 0;
}

/** By the last answer to each feed. */
function lastAnswers({ requests }: Report): Map<number, number> {
  return new Map(
    Object.entries(requests).map(([number, list]) => [Number(number), list.at(-1)?.status ?? 0]),
  );
}

test('a farm of feeds is read, and read again for next to nothing', async (t) => {
  await using crawled = await openCrawledFarm(FEEDS, DELAYS);
  const { farm, pool, showIds } = crawled;
  const started = Temporal.Now.instant();

  await t.test('first round: every feed that can be read is, and only once', async () => {
    await crawl(crawled);
    assert.deepEqual(await differenceAfter(pool, showIds, 1), { lost: [], unheardOf: [], twice: [] });
    const { requests, mostAtOnce, mostAt } = await farm.report();
    const notOnce = NUMBERS.filter((number) => (requests[number] ?? []).filter(isAnswer).length !== 1);
    assert.deepEqual(notOnce, [], 'feeds that were not read exactly once');
    assert.equal(mostAtOnce, 2, `connections at once to ${mostAt}`);
  });

  await t.test('first round: moved, lent, gone, limited and broken feeds are each treated so', async () => {
    const rows = await feedRows(crawled);
    const row = (number: number): FeedRow => rows[number] ?? assert.fail();
    for (const number of numbersOf('moved')) assert.equal(row(number).address, movedAddress(number, farm));
    for (const number of numbersOf('lent')) assert.equal(row(number).address, feedAddress(number, farm));
    for (const number of numbersOf('limited')) {
      const wait = started.until(row(number).next_due_at).total('seconds');
      assert.ok(wait >= RETRY_AFTER_SECONDS, `feed ${number} is asked again after ${wait} s`);
    }
    for (const kind of ['broken', 'oversized', 'stuck', 'gone', 'missing', 'limited', 'ailing'] as const)
      for (const number of numbersOf(kind))
        assert.ok(row(number).trouble, `${kind} feed ${number} has no trouble`);
  });

  await t.test(
    'second round: nearly all say that nothing is new, and nothing is written for them',
    async () => {
      const before = { marks: await marksOf(pool, showIds), rows: await feedRows(crawled) };
      const written = await topicsWritten(crawled);
      await crawled.nextRound();
      await crawl(crawled);
      const report = await farm.report();
      const answers = lastAnswers(report);
      const told = [...answers.values()].filter((status) => status === 200 || status === 304);
      const same = told.filter((status) => status === 304).length;
      t.diagnostic(`second round: ${same} of the ${told.length} feeds that answered said 304`);
      assert.ok(same >= SAME * told.length, `${same} of ${told.length} said 304`);
      const whole = NUMBERS.filter(
        (number) => CAN_SAY_SAME.has(kindOf(number)) && answers.get(number) !== 304,
      );
      assert.deepEqual(whole, [], 'feeds that were read whole with nothing new');

      const marks = await marksOf(pool, showIds);
      const touched = NUMBERS.filter((number) => !isNew(number) && marks[number] !== before.marks[number]);
      assert.deepEqual(touched, [], 'feeds with nothing new for which something was written');
      assert.deepEqual(await differenceAfter(pool, showIds, 2), { lost: [], unheardOf: [], twice: [] });
      const expected = NUMBERS.reduce((sum, number) => sum + newTopics(number), 0);
      assert.equal((await topicsWritten(crawled)) - written, expected, 'rows of topics written');

      const after = await feedRows(crawled);
      for (const [number, status] of answers) {
        if (status !== 304) continue;
        const [was, is] = [before.rows[number], after[number]];
        const kept = (row?: FeedRow): unknown[] => [
          row?.etag,
          row?.last_modified,
          row?.digest,
          String(row?.changed_at),
        ];
        assert.deepEqual(kept(is), kept(was), `what is known of feed ${number}`);
      }
      assert.equal(report.mostAtOnce, 2, `connections at once to ${report.mostAt}`);
    },
  );

  await t.test('second round: what moved is asked where it is now, what was lent where it was', async () => {
    const { requests } = await farm.report();
    for (const number of numbersOf('moved'))
      assert.ok(
        requests[number]?.every(({ hasMoved }) => hasMoved),
        `feed ${number}`,
      );
    for (const number of numbersOf('lent')) assert.equal(requests[number]?.[0]?.hasMoved, false);
  });

  await t.test('what says three times that it is gone is asked no more', async () => {
    await crawled.nextRound();
    await crawl(crawled);
    await crawled.nextRound();
    await crawl(crawled);
    const { requests } = await farm.report();
    assert.deepEqual(
      numbersOf('gone').filter((number) => number in requests),
      [],
    );
    assert.ok(numbersOf('missing').every((number) => number in requests));
    assert.deepEqual(await differenceAfter(pool, showIds, 4), { lost: [], unheardOf: [], twice: [] });
  });
});
