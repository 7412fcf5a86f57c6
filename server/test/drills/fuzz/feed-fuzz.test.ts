import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { topicUpdate } from '../../../src/core/feeds/reading.ts';
import { showUpdate } from '../../../src/core/feeds/show-record.ts';
import { type Feed, FeedError } from '../../../src/formats/feed/feed.ts';
import { parseFeed } from '../../../src/formats/feed/parse-feed.ts';
import { longFeed } from '../../content/feed-samples.ts';
import { Dice } from '../../fuzz/dice.ts';
import { mutatedFeed } from '../../fuzz/feeds.ts';
import { leastCpuMs } from '../../processes/least-cpu-ms.ts';

/** `FEED_MUTATIONS=300000 FEED_SEED=1 node scripts/test.ts server/test/drills/fuzz/feed-fuzz.test.ts` */
const MUTATIONS = Number(process.env['FEED_MUTATIONS'] ?? 15_000);
const SEED = Number(process.env['FEED_SEED'] ?? randomInt(2 ** 31));
/** As much processor time as a plain feed of the same size takes, in the same run on the same machine; 2.3 at most were seen. */
const MAX_TIMES_PLAIN = 4;
/** What a smaller one takes is lost among other things. */
const MIN_BYTES = 100_000;
/** Among so many mutated ones a plain one is read. */
const LOOK_AT_PLAIN = 250;
const MAX_REPORTED = 10;
const NOW = Temporal.Instant.from('2026-01-01T00:00:00Z');

function read(bytes: Buffer): Feed | FeedError {
  try {
    return parseFeed(bytes, 'https://feeds.radio-haven.net/x');
  } catch (error) {
    if (error instanceof FeedError) return error;
    throw error;
  }
}

/** Each text with the longest that the schema takes, as everything that a feed tells must fit into its row. */
function findUnfit(feed: Feed): string | undefined {
  const show = showUpdate({ ...feed, hosts: feed.hosts.join(', ') });
  const texts: [text: string | undefined, least: number, most: number][] = [
    [show.title, 1, 300],
    [show.hosts, 1, 500],
    [show.description, 1, 5000],
    [show.homepage, 1, 2048],
    [show.image, 1, 2048],
  ];
  for (const item of feed.items) {
    const topic = topicUpdate(item, NOW);
    if (!topic) continue;
    texts.push([topic.title, 1, 500], [topic.description, 1, 10_000], [topic.address, 1, 2048]);
    const { duration_seconds: seconds = 1 } = topic;
    if (!Number.isInteger(seconds) || seconds < 1) return `duration ${seconds}`;
  }
  const unfit = texts.find(([text, least, most]) => text !== undefined && !fits(text, least, most));
  return unfit && `unfit text ${JSON.stringify(unfit[0]?.slice(0, 100))}`;
}

const fits = (text: string, least: number, most: number): boolean =>
  text.length >= least && text.length <= most && text.isWellFormed() && !text.includes('\0');

const cpuMs = (bytes: Buffer): number => leastCpuMs(() => void read(bytes));

const PLAIN_TOPICS = 60;
const PLAIN_BYTES = longFeed(PLAIN_TOPICS).length;

/** What a feed without any trick takes that is at least so large. */
const plainMs = (bytes: number): number =>
  cpuMs(Buffer.from(longFeed(Math.ceil((PLAIN_TOPICS * bytes) / PLAIN_BYTES))));

/** How much longer than a plain one of its size it takes, measured one right after the other: the machine is equally slow for both. */
function timesPlain(bytes: Buffer): number {
  const size = Math.max(bytes.length, MIN_BYTES);
  return Math.min(cpuMs(bytes) / plainMs(size), cpuMs(bytes) / plainMs(size));
}

/** What a plain one took when the machine was at its quickest and had seen a few: who takes much more than that is measured. */
let quickestMs = Infinity;

function lookAtPlain(): void {
  quickestMs = Math.min(quickestMs, plainMs(MIN_BYTES));
}

const isSuspect = (bytes: Buffer, tookMs: number): boolean =>
  tookMs > (MAX_TIMES_PLAIN * quickestMs * Math.max(bytes.length, MIN_BYTES)) / MIN_BYTES;

function findFlaw(bytes: Buffer, tally: Map<string, number>): string | undefined {
  const started = performance.now();
  try {
    const outcome = read(bytes);
    const tookMs = performance.now() - started;
    const kind =
      outcome instanceof FeedError ? outcome.flaw : outcome.items.length > 0 ? 'items' : 'no items';
    tally.set(kind, (tally.get(kind) ?? 0) + 1);
    const times = isSuspect(bytes, tookMs) ? timesPlain(bytes) : 0;
    if (times > MAX_TIMES_PLAIN)
      return `took ${times.toFixed(1)} times as long as a plain feed of ${bytes.length} bytes`;
    return outcome instanceof FeedError ? undefined : findUnfit(outcome);
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
}

test(`${MUTATIONS} mutated feeds are read or refused, in time and fit for their rows`, (t) => {
  const dice = new Dice(SEED);
  const tally = new Map<string, number>();
  const flaws: string[] = [];
  const started = performance.now();
  for (let count = 0; count < MUTATIONS && flaws.length < MAX_REPORTED; count += 1) {
    if (count % LOOK_AT_PLAIN === 0) lookAtPlain();
    const bytes = mutatedFeed(dice);
    const flaw = findFlaw(bytes, tally);
    if (flaw !== undefined) flaws.push(`feed ${count}: ${flaw}\n${bytes.toString('latin1').slice(0, 500)}`);
  }
  const seconds = (performance.now() - started) / 1000;
  t.diagnostic(`seed ${SEED}: ${MUTATIONS} feeds in ${seconds.toFixed(1)} s`);
  t.diagnostic([...tally].map(([kind, count]) => `${count} x ${kind}`).join(', '));
  assert.deepEqual(flaws, [], `to see it again: FEED_SEED=${SEED}`);
  // Were nearly all refused at their first byte, the drill would prove little.
  assert.ok((tally.get('items') ?? 0) > MUTATIONS / 10, 'a tenth at least is still a feed');
});
