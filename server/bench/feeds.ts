import { SaxesParser } from 'saxes';
import { saveFeed } from '../src/core/feeds/save-feed.ts';
import { parseFeed } from '../src/formats/feed/parse-feed.ts';
import { uuidOf } from '../src/lib/ids.ts';
import { createPool } from '../src/storage/db/pool.ts';
import { type TestDatabase, testDatabaseWithPlaces } from '../test/database/database.ts';
import { longFeed, RSS } from '../test/content/feed-samples.ts';
import { addShow } from '../test/database/catalogue/add-show.ts';

const ROUNDS = 15;
const TOPICS = [2, 100, 1000];

/** Reading a feed, compared with a bare pass over the same XML, and saving it the first and the second time. */
export async function run(): Promise<void> {
  console.log(`Reading; medians of ${ROUNDS} rounds, alternating\n`);
  console.log(
    '| topics | bytes | decode, walk with saxes, ms | parseFeed, ms | ratio | MB/s |\n|---|---|---|---|---|---|',
  );
  for (const topics of TOPICS) measureReading(topics);
  await using database = await testDatabaseWithPlaces();
  console.log('\nSaving; one connection\n');
  console.log('| topics | first time, ms | again, ms | with one new topic, ms |\n|---|---|---|---|');
  for (const topics of TOPICS) await measureSaving(database, topics);
}

const feedOf = (topics: number): Buffer => Buffer.from(topics === 2 ? RSS : longFeed(topics));

function measureReading(topics: number): void {
  const bytes = feedOf(topics);
  const repeat = Math.max(1, Math.round(400 / topics));
  const [bareMs, parseMs] = medians(
    [() => walk(bytes), () => parseFeed(bytes)].map((work) => () => {
      for (let times = 0; times < repeat; times += 1) work();
    }),
  ).map((ms) => ms / repeat);
  if (bareMs === undefined || parseMs === undefined) return;
  const cells = [topics, bytes.length, bareMs.toFixed(3), parseMs.toFixed(3), (parseMs / bareMs).toFixed(2)];
  console.log(`| ${[...cells, (bytes.length / 1000 / parseMs).toFixed(0)].join(' | ')} |`);
}

function walk(bytes: Buffer): number {
  let events = 0;
  const count = (): void => void (events += 1);
  const parser = new SaxesParser({});
  parser.on('opentag', count);
  parser.on('closetag', count);
  parser.on('text', count);
  parser.on('cdata', count);
  parser.write(bytes.toString('utf8')).close();
  return events;
}

/** The first rounds are for the compiler; the variants alternate, so that the machine's load affects them all. */
function medians(ways: readonly (() => void)[]): number[] {
  const times = ways.map((): number[] => []);
  for (let round = -5; round < ROUNDS; round += 1) {
    for (const [index, way] of ways.entries()) {
      const started = performance.now();
      way();
      if (round >= 0) times[index]?.push(performance.now() - started);
    }
  }
  return times.map(middle);
}

const middle = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;

async function measureSaving({ url }: TestDatabase, topics: number): Promise<void> {
  const pool = createPool({
    databaseUrl: url,
    size: 1,
    applicationName: 'bench',
    statementTimeoutMs: 60_000,
  });
  const times: [first: number[], again: number[], grown: number[]] = [[], [], []];
  const feed = parseFeed(feedOf(topics));
  const grown = parseFeed(feedOf(topics));
  grown.items.unshift({ guid: 'new', title: 'New', address: 'https://cdn.radio-haven.net/new.mp3' });
  for (let round = 0; round < ROUNDS; round += 1) {
    const address = `https://bench.radio-haven.net/${topics}/${round}`;
    const id = (await addShow(pool, { title: 'New', feed: { address, key: uuidOf(address) } })) ?? 0;
    for (const [index, told] of [feed, feed, grown].entries()) {
      const started = performance.now();
      await saveFeed(pool, id, told);
      times[index]?.push(performance.now() - started);
    }
  }
  await pool.end();
  console.log(`| ${[topics, ...times.map((list) => middle(list).toFixed(1))].join(' | ')} |`);
}
