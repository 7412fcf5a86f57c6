import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { startWork } from '../../src/app/worker.ts';
import { uuidOf } from '../../src/lib/ids.ts';
import { createLog } from '../../src/lib/log.ts';
import { SafeFetcher } from '../../src/net/fetch/fetch-safely.ts';
import type { Policy } from '../../src/net/fetch/policy.ts';
import { Metrics } from '../../src/net/http/metrics.ts';
import { websub } from '../../src/protocols/websub/websub.ts';
import { addFeeds } from '../../src/storage/catalog/feeds/feeds.ts';
import { ensureGenres } from '../../src/storage/catalog/stations/station-groups.ts';
import { transaction } from '../../src/storage/db/transaction.ts';
import { JobMetrics } from '../../src/workers/runner/due-job.ts';
import { FleetHostLimiter } from '../../src/workers/runner/fleet-host-limiter.ts';
import { type TestDatabase, testDatabaseWithPlaces } from '../database/database.ts';
import { longFeed } from '../content/feed-samples.ts';
import { startServer, type TestServer } from '../apps/http-server.ts';
import { TestHub } from '../servers/websub-hub.ts';
import { addShow } from '../database/catalogue/add-show.ts';

/** 127.0.0.2 plays the internet. */
const INTERNET = '127.0.0.2';
const policy: Policy = {
  resolve: async () => [INTERNET],
  isAllowed: (ip) => ip === INTERNET,
  connectMs: 2000,
};
const TOPIC = 'https://feeds.radio-haven.net/harbour';

let database: TestDatabase;
let publisher: Server;
let port: number;
let service: TestServer;
let hub: TestHub;
let topicsTold = 3;
const asked: (string | undefined)[] = [];

before(async () => {
  database = await testDatabaseWithPlaces();
  await transaction(database.pool, ensureGenres);
  const metrics = new Metrics();
  service = await startServer([], { metrics, plainEndpoints: [websub({ db: database.pool, metrics })] });
  hub = await TestHub.start();
  publisher = createServer(({ headers }, response) => {
    asked.push(headers['if-none-match']);
    const etag = `"${topicsTold}"`;
    const link = `<http://hub.radio-haven.net:${hub.port}/>; rel="hub", <${TOPIC}>; rel="self"`;
    if (headers['if-none-match'] === etag) response.writeHead(304).end();
    else response.writeHead(200, { etag, link }).end(longFeed(topicsTold));
  }).listen(0, INTERNET);
  await once(publisher, 'listening');
  const address = publisher.address();
  assert.ok(typeof address === 'object' && address);
  ({ port } = address);
});
after(async () => {
  publisher.close();
  await hub[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

async function until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 15_000;
  while (!(await isTrue())) {
    assert.ok(performance.now() < deadline, `waited in vain: ${what}`);
    await sleep(50);
  }
}

async function topicsOf(showId: number): Promise<number> {
  const { rows } = await database.pool.query('SELECT count(*)::int4 AS n FROM topics WHERE show_id = $1', [
    showId,
  ]);
  return rows[0].n;
}

test('a worker reads a new feed, subscribes at its hub, and reads what the hub tells of at once', async () => {
  const address = `http://feeds.radio-haven.net:${port}/harbour`;
  const showId = await addShow(database.pool, { title: 'Unread', feed: { address, key: uuidOf(address) } });
  assert.ok(showId);
  await addFeeds(database.pool, [showId]);
  const registry = new Registry();
  await using slots = new FleetHostLimiter(database.url);
  await using work = startWork({
    pool: database.pool,
    databaseUrl: database.url,
    log: createLog({ level: 'silent' }),
    metrics: new JobMetrics(registry),
    fetcher: new SafeFetcher({ policy, hostLimiter: slots }),
    feedConcurrency: 10,
    hubOrigin: service.origin,
  });
  void work;
  await until('its topics', async () => (await topicsOf(showId)) === 3);
  await until('a subscription', async () => hub.verifications.length === 1);
  await until('the hub to agree', async () => {
    const { rows } = await database.pool.query('SELECT pushed_until FROM feeds WHERE show_id = $1', [showId]);
    return rows[0].pushed_until !== null;
  });
  await until('the end of the reading', async () => {
    const { rows } = await database.pool.query('SELECT etag FROM feeds WHERE show_id = $1', [showId]);
    return rows[0].etag === '"3"';
  });
  topicsTold = 4;
  assert.equal(await hub.publish(TOPIC, longFeed(4)), 202);
  await until('what is new', async () => (await topicsOf(showId)) === 4);
  assert.deepEqual(asked, [undefined, '"3"']);
  assert.match(await registry.metrics(), /jobs_total\{job="websub",outcome="taken"\} 1/);
});
