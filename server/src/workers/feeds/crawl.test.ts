import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { after, before, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type TestDatabase, testDatabaseWithPlaces } from '../../../test/database/database.ts';
import { longFeed } from '../../../test/content/feed-samples.ts';
import { cleanFeedAddress } from '../../core/cleaning/clean-address.ts';
import { uuidOf } from '../../lib/ids.ts';
import { Threads } from '../../lib/threads.ts';
import { SafeFetcher } from '../../net/fetch/fetch-safely.ts';
import { type Policy, publicInternet } from '../../net/fetch/policy.ts';
import { addFeeds } from '../../storage/catalog/feeds/feeds.ts';
import { ensureGenres } from '../../storage/catalog/stations/station-groups.ts';
import { transaction } from '../../storage/db/transaction.ts';
import { crawlJob } from './crawl.ts';
import type { ParseOutcome, ParseTask } from './parse-thread.ts';
import { ManualClock } from '../../../test/time/manual-clock.ts';
import { addShow } from '../../../test/database/catalogue/add-show.ts';
import { waitingForLock } from '../../../test/database/waiting-for-lock.ts';
import { waitUntil } from '../../../test/time/wait-until.ts';

type Page = (request: IncomingMessage, response: ServerResponse) => void;

let database: TestDatabase;
let server: Server;
let port: number;
const threads = new Threads<ParseTask, ParseOutcome>(new URL('parse-thread.ts', import.meta.url), {
  cpuMs: 500,
});
const pages = new Map<string, Page>();
const asked: { path: string; etag: string | undefined }[] = [];

// Names lead to this machine, and only names do.
const policy: Policy = {
  ...publicInternet,
  resolve: async () => ['127.0.0.1'],
  isAllowed: (ip) => ip === '127.0.0.1',
};

before(async () => {
  database = await testDatabaseWithPlaces();
  await transaction(database.pool, ensureGenres);
  server = createServer((request, response) => {
    const { url = '', headers } = request;
    asked.push({ path: url, etag: headers['if-none-match'] });
    const page = pages.get(url);
    if (page) page(request, response);
    else response.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(typeof address === 'object' && address);
  ({ port } = address);
});
after(async () => {
  server.close();
  await threads[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});
beforeEach(() => {
  asked.length = 0;
  pages.clear();
});

/** How long a feed is left alone whose result was not written. */
const LEASE_SECONDS = 120;
const clock = new ManualClock('2024-01-01T12:00:00Z');
const job = () =>
  crawlJob({ pool: database.pool, fetcher: new SafeFetcher({ policy }), threads, clock, chance: () => 0.5 });

let shows = 0;
const addressOf = (path: string, host = 'feeds.radio-haven.net'): string => `http://${host}:${port}${path}`;
async function newShow(path: string, host = `h${(shows += 1)}.radio-haven.net`): Promise<number> {
  const address = addressOf(path, host);
  const clean = cleanFeedAddress(address);
  const key = 'key' in clean ? clean.key : uuidOf(address);
  const id = await addShow(database.pool, { title: 'Unread', feed: { address, key } });
  assert.ok(id);
  await addFeeds(database.pool, [id]);
  return id;
}

const never = new AbortController().signal;
/** Reads whatever is due, and says how that went. */
async function crawl(): Promise<string[]> {
  const { claim, work } = job();
  const due = await claim(50);
  return Promise.all(due.map((row) => work(row, { stopping: never, cut: never })));
}

const makeDue = (): Promise<unknown> =>
  database.pool.query('UPDATE feeds SET next_due_at = now() WHERE gone_at IS NULL');
beforeEach(() => database.pool.query('UPDATE feeds SET gone_at = now()'));

interface FeedState {
  etag: string | null;
  failures: number;
  trouble: string | null;
  is_gone: boolean;
  due_in: number;
  feed_address: string;
  topics: number;
}
async function stateOf(showId: number): Promise<FeedState> {
  const { rows } = await database.pool.query<FeedState>(
    `SELECT etag, failures, trouble, gone_at IS NOT NULL AS is_gone, s.feed_address,
       extract(epoch FROM next_due_at - now())::int4 AS due_in,
       (SELECT count(*)::int4 FROM topics WHERE show_id = s.id) AS topics
     FROM feeds f JOIN shows s ON s.id = f.show_id WHERE s.id = $1`,
    [showId],
  );
  assert.ok(rows[0]);
  return rows[0];
}

const feed =
  (text: string, headers: Record<string, string> = {}): Page =>
  ({ headers: sent }, response) => {
    const isKnown = headers['etag'] !== undefined && sent['if-none-match'] === headers['etag'];
    if (isKnown) response.writeHead(304).end();
    else response.writeHead(200, headers).end(text);
  };

test('a feed is read, then asked for news only, and what is new is added', async () => {
  const showId = await newShow('/daily');
  pages.set('/daily', feed(longFeed(5), { etag: '"5"' }));
  assert.deepEqual(await crawl(), ['read']);
  assert.deepEqual([(await stateOf(showId)).topics, (await stateOf(showId)).etag], [5, '"5"']);
  assert.deepEqual(await crawl(), [], 'not due yet');
  await makeDue();
  assert.deepEqual(await crawl(), ['unchanged']);
  pages.set('/daily', feed(longFeed(6), { etag: '"6"' }));
  await makeDue();
  assert.deepEqual(await crawl(), ['read']);
  assert.deepEqual(
    asked.map(({ etag }) => etag),
    [undefined, '"5"', '"5"'],
  );
  assert.deepEqual([(await stateOf(showId)).topics, (await stateOf(showId)).etag], [6, '"6"']);
});

test('a feed whose server cannot say "unchanged" is compared with what it told', async () => {
  await newShow('/plain');
  pages.set('/plain', feed(longFeed(3)));
  assert.deepEqual(await crawl(), ['read']);
  await makeDue();
  assert.deepEqual(await crawl(), ['same']);
});

test('a feed and its server are left alone as long as they ask', async () => {
  const showId = await newShow('/asks');
  pages.set('/asks', feed(longFeed(3), { 'cache-control': 'max-age=80000' }));
  await crawl();
  assert.ok(Math.abs((await stateOf(showId)).due_in - 80_000) < 5);
});

test('a feed that moved for good is read there from then on, one that moved for now is not', async () => {
  const [good, now] = [await newShow('/old'), await newShow('/for-now')];
  pages.set('/old', (_request, response) => response.writeHead(301, { location: addressOf('/new') }).end());
  pages.set('/for-now', (_request, response) =>
    response.writeHead(302, { location: addressOf('/new') }).end(),
  );
  pages.set('/new', feed(longFeed(2)));
  assert.deepEqual(await crawl(), ['read', 'read']);
  assert.equal((await stateOf(good)).feed_address, addressOf('/new'));
  assert.match((await stateOf(now)).feed_address, /\/for-now$/);
});

test('a feed that says where it went is read there when there is a feed', async () => {
  const [moved, mistaken] = [await newShow('/leaving'), await newShow('/lost')];
  const notice = (to: string): string =>
    longFeed(2).replace('<channel>', `<channel><itunes:new-feed-url>${addressOf(to)}</itunes:new-feed-url>`);
  pages.set('/leaving', feed(notice('/arrived')));
  pages.set('/arrived', feed(longFeed(4)));
  pages.set('/lost', feed(notice('/nowhere')));
  assert.deepEqual(await crawl(), ['read', 'read']);
  assert.deepEqual(
    [(await stateOf(moved)).feed_address, (await stateOf(moved)).topics],
    [addressOf('/arrived'), 4],
  );
  assert.match((await stateOf(mistaken)).feed_address, /\/lost$/);
  assert.equal((await stateOf(mistaken)).topics, 2);
});

/** Only says when it was last changed, as many do; unchanged for whoever had something as late. */
const dated =
  (text: string, at: string): Page =>
  ({ headers }, response) => {
    const had = Date.parse(headers['if-modified-since'] ?? '');
    if (had >= Date.parse(at)) response.writeHead(304).end();
    else response.writeHead(200, { 'last-modified': at }).end(text);
  };

test('a feed whose new place another show has is followed there each time', async () => {
  const [frozen, late] = ['Mon, 01 Jan 2024 08:00:00 GMT', 'Mon, 01 Jan 2024 10:00:00 GMT'];
  const places = [
    ['/leaves', addressOf('/taken')],
    // The directory takes no such address, although a feed is there.
    ['/leaves-too', addressOf('/taken', 'feeds.tunein.com')],
  ] as const;
  const leaving = await Promise.all(places.map(([path]) => newShow(path)));
  await database.pool.query('UPDATE feeds SET gone_at = now() WHERE show_id = $1', [
    await newShow('/taken', 'feeds.radio-haven.net'),
  ]);
  for (const [path, to] of places) {
    const notice = `<channel><itunes:new-feed-url>${to}</itunes:new-feed-url>`;
    pages.set(path, dated(longFeed(2).replace('<channel>', notice), frozen));
  }
  for (const topics of [4, 5, 6]) {
    pages.set('/taken', dated(longFeed(topics), late));
    await makeDue();
    assert.deepEqual(await crawl(), ['read', 'read']);
    for (const [index, showId] of leaving.entries()) {
      const state = await stateOf(showId);
      assert.equal(state.topics, topics);
      assert.ok(state.feed_address.endsWith(places[index]?.[0] ?? '-'));
    }
  }
});

test('a feed whose new place is away for a while is read there once it is back', async () => {
  const showId = await newShow('/frozen');
  const to = `<channel><itunes:new-feed-url>${addressOf('/home')}</itunes:new-feed-url>`;
  pages.set('/frozen', feed(longFeed(2).replace('<channel>', to), { etag: '"last"' }));
  pages.set('/home', (_request, response) => response.writeHead(503).end());
  assert.deepEqual(await crawl(), ['read']);
  assert.match((await stateOf(showId)).feed_address, /\/frozen$/);
  pages.set('/home', feed(longFeed(4), { etag: '"4"' }));
  await makeDue();
  assert.deepEqual(await crawl(), ['read']);
  const { feed_address, topics, etag } = await stateOf(showId);
  assert.deepEqual([feed_address, topics, etag], [addressOf('/home'), 4, '"4"']);
});

test('"unchanged" to somebody who has nothing is no answer', async () => {
  const showId = await newShow('/stuck');
  pages.set('/stuck', (_request, response) => response.writeHead(304).end());
  assert.deepEqual(await crawl(), ['refused']);
  assert.equal((await stateOf(showId)).trouble, 'the server answers 304');
});

const itemOf = (year: number): string =>
  `<item><guid>${year}</guid><title>${year}</title><pubDate>Tue, 03 Mar ${year} 08:00:00 GMT</pubDate><enclosure url="http://radio-haven.net/${year}.mp3" type="audio/mpeg"/></item>`;

test('a topic from another century does not keep a silent show awake', async () => {
  const showId = await newShow('/typo');
  const items = [2012, 2013, 2014, 2091].map(itemOf).join('');
  pages.set('/typo', feed(`<rss><channel><title>Silent</title>${items}</channel></rss>`));
  assert.deepEqual(await crawl(), ['read']);
  assert.ok(Math.abs((await stateOf(showId)).due_in - 7 * 86_400) < 5);
});

test('a feed that cannot be read says why, and waits longer each time; its topics stay', async () => {
  const showId = await newShow('/shaky');
  pages.set('/shaky', feed(longFeed(3), { etag: '"3"' }));
  await crawl();
  pages.set('/shaky', feed('<html><body>Please log in</body></html>'));
  const waits: number[] = [];
  for (let time = 1; time <= 3; time += 1) {
    await makeDue();
    assert.deepEqual(await crawl(), ['failed']);
    waits.push((await stateOf(showId)).due_in);
  }
  const state = await stateOf(showId);
  assert.deepEqual([state.failures, state.topics, state.etag], [3, 3, '"3"']);
  assert.match(state.trouble ?? '', /feed/);
  assert.ok(
    waits.every((wait, index) => index === 0 || wait > (waits[index - 1] ?? 0)),
    String(waits),
  );
  pages.set('/shaky', feed(longFeed(4)));
  await makeDue();
  assert.deepEqual(await crawl(), ['read']);
  assert.deepEqual([(await stateOf(showId)).failures, (await stateOf(showId)).trouble], [0, null]);
});

test('a server that asks to wait is left alone; one that says gone three times is believed', async () => {
  const [limited, gone] = [await newShow('/limited'), await newShow('/gone')];
  pages.set('/limited', (_request, response) => response.writeHead(429, { 'retry-after': '100000' }).end());
  pages.set('/gone', (_request, response) => response.writeHead(410).end());
  assert.deepEqual((await crawl()).toSorted(), ['refused', 'refused']);
  assert.ok(Math.abs((await stateOf(limited)).due_in - 100_000) < 5);
  for (const word of ['refused', 'gone']) {
    await database.pool.query('UPDATE feeds SET next_due_at = now() WHERE show_id = $1', [gone]);
    assert.deepEqual(await crawl(), [word]);
  }
  const state = await stateOf(gone);
  assert.deepEqual([state.is_gone, state.trouble], [true, 'the server answers 410']);
});

test('a server that had other troubles before it says gone is not believed at once', async () => {
  const showId = await newShow('/trouble');
  const words: string[] = [];
  for (const status of [503, 503, 503, 410, 410, 503, 410, 410, 410]) {
    pages.set('/trouble', (_request, response) => response.writeHead(status).end());
    await makeDue();
    words.push(...(await crawl()));
  }
  assert.deepEqual(words, [...Array.from({ length: 8 }, () => 'refused'), 'gone']);
  assert.equal((await stateOf(showId)).is_gone, true);
});

test('a feed made to take the reader’s time is ended, and the next is read', async () => {
  const [heavy, fine] = [await newShow('/heavy'), await newShow('/fine')];
  pages.set(
    '/heavy',
    feed(`<rss><channel>${'<a b="c">'.repeat(60)}${'<item><title>x</title></item>'.repeat(4000)}`),
  );
  pages.set('/fine', feed(longFeed(1)));
  assert.deepEqual((await crawl()).toSorted(), ['failed', 'read']);
  assert.equal((await stateOf(heavy)).failures, 1);
  assert.equal((await stateOf(fine)).topics, 1);
});

test('a feed whose flaw is told with its own odd letters is put off like others, and so are those beside it', async () => {
  const ids: number[] = [];
  for (const n of [0, 1]) {
    ids.push(await newShow(`/odd${n}`));
    pages.set(`/odd${n}`, feed(`</${'a'.repeat(n)}${'\u{1f4fb}'.repeat(200)}>`));
  }
  ids.push(await newShow('/missing'));
  assert.deepEqual((await crawl()).toSorted(), ['failed', 'failed', 'refused']);
  for (const id of ids) {
    const { failures, due_in: dueIn, trouble } = await stateOf(id);
    assert.ok(failures === 1 && dueIn > LEASE_SECONDS, `${trouble}: ${failures}, ${dueIn}`);
  }
});

test('one result that the database does not take costs no other its own', async () => {
  const { pool } = database;
  const { claim, work } = job();
  const read = (due: Awaited<ReturnType<typeof claim>>) =>
    due.map((row) => work(row, { stopping: never, cut: never }));
  const held = await newShow('/held');
  const first = await claim(50);
  const [bad, good] = [await newShow('/bad'), await newShow('/good')];
  const both = await claim(50);
  await pool.query(`ALTER TABLE feeds ADD CONSTRAINT picky CHECK (show_id <> ${bad} OR failures = 0)`);
  const { outcomes } = await transaction(pool, async (client) => {
    await client.query('SELECT FROM feeds WHERE show_id = $1 FOR UPDATE', [held]);
    const reading = read(first);
    await waitingForLock(pool, 1);
    // While the first result waits, these two come together.
    reading.push(...read(both));
    await waitUntil('both were asked', async () => (asked.length === 3 ? true : undefined));
    await sleep(300);
    return { outcomes: Promise.allSettled(reading) };
  });
  const statuses = (await outcomes).map(({ status }) => status);
  await pool.query('ALTER TABLE feeds DROP CONSTRAINT picky');
  assert.deepEqual(statuses.toSorted(), ['fulfilled', 'fulfilled', 'rejected']);
  assert.deepEqual([(await stateOf(bad)).failures, (await stateOf(good)).failures], [0, 1]);
  assert.ok((await stateOf(good)).due_in > LEASE_SECONDS);
});

test('an address inside our own network is not asked', async () => {
  const showId = await newShow('/x', '127.0.0.2');
  assert.deepEqual(await crawl(), ['failed']);
  assert.equal(asked.length, 0);
  assert.match((await stateOf(showId)).trouble ?? '', /public internet/);
});

test('a hub that the feed or its server names is kept while it does', async () => {
  const showId = await newShow('/pushed');
  const hubs = async (): Promise<unknown[]> =>
    (await database.pool.query('SELECT hub, topic FROM feed_hubs WHERE show_id = $1', [showId])).rows;
  const link = '<https://hub.radio-haven.net/>; rel="hub", <https://radio-haven.net/self>; rel="self"';
  pages.set('/pushed', feed(longFeed(2), { link }));
  await crawl();
  assert.deepEqual(await hubs(), [
    { hub: 'https://hub.radio-haven.net/', topic: 'https://radio-haven.net/self' },
  ]);
  pages.set('/pushed', feed(longFeed(2)));
  await makeDue();
  await crawl();
  assert.deepEqual(await hubs(), []);
});
