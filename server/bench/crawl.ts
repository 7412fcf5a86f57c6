import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type CrawledFarm, openCrawledFarm } from '../test/feed-farm/crawled-farm.ts';
import type { CrawlPass, Pass } from './crawl/pass.ts';
import { type Bare, startBare } from './run-bare.ts';
import { crawlOnce } from './crawl/run-crawl.ts';

const text = (value: string) => ({ type: 'string', default: value }) as const;
const rate = ({ feeds, wallMs }: Pass): number => (feeds / wallMs) * 1000;
/** Slow feeds would only measure their own slowness, on both sides. */
const BARE = join(import.meta.dirname, 'crawl/bare.ts');
const DELAYS = [20, 50, 50] as const;

/**
 * Feeds per second of a crawl, compared with fetching and parsing the same bytes without it, at the same concurrency,
 * alternating. In the first round everything is new and is written; in later ones next to nothing is. `npm run bench
 * -- crawl [--feeds 10000] [--at-once 100] [--farms 1] [--rounds 2]`
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { feeds: text('10000'), 'at-once': text('100'), farms: text('1'), rounds: text('2') },
  });
  const [feeds, concurrency] = [Number(values.feeds), Number(values['at-once'])];
  console.log(
    `${feeds} feeds, ${concurrency} at once. "other" is the main thread of the crawl: network, rows, order.\n`,
  );
  printRow(
    'round',
    'bare, feeds/s',
    'crawl, feeds/s',
    'ratio by wall',
    'bare, CPU ms/feed',
    'crawl, CPU ms/feed',
    'ratio by CPU',
    'crawl, ms/feed: fetch',
    'parse',
    'other',
    'database',
  );
  printRow(...Array.from({ length: 11 }, () => '---'));
  for (let farm = 0; farm < Number(values.farms); farm += 1) {
    await using crawled = await openCrawledFarm(feeds, DELAYS);
    await using bare = startBare<Pass>(BARE, [crawled.farm.feeds, crawled.farm.port, concurrency]);
    for (let round = 1; round <= Number(values.rounds); round += 1)
      await measure(round, crawled, bare, concurrency, (farm + round) % 2 === 0);
  }
}

/** The second finds the farm warm, so they alternate in that too. */
async function measure(
  round: number,
  crawled: CrawledFarm,
  bare: Bare<Pass>,
  concurrency: number,
  isCrawlFirst: boolean,
): Promise<void> {
  if (round > 1) await crawled.nextRound();
  const early = isCrawlFirst ? undefined : await bare.pass();
  const crawl = await crawlOnce(crawled, concurrency);
  print(round, early ?? (await bare.pass()), crawl);
}

function print(round: number, bare: Pass, crawl: CrawlPass): void {
  const each = (ms: number): string => (ms / crawl.feeds).toFixed(2);
  const { cpuMs, parseMs, fetchMs, databaseMs } = crawl;
  printRow(
    String(round),
    rate(bare).toFixed(0),
    rate(crawl).toFixed(0),
    (rate(crawl) / rate(bare)).toFixed(2),
    each(bare.cpuMs),
    each(cpuMs),
    (bare.cpuMs / cpuMs).toFixed(2),
    ...[fetchMs, parseMs, cpuMs - parseMs, databaseMs].map(each),
  );
}

const printRow = (...cells: string[]): void => console.log(`| ${cells.join(' | ')} |`);
