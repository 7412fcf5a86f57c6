import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach } from 'node:test';
import { callbackOf } from '../../src/core/feeds/callback.ts';
import { keepHub } from '../../src/core/feeds/keep-hub.ts';
import { uuidOf } from '../../src/lib/ids.ts';
import { SafeFetcher } from '../../src/net/fetch/fetch-safely.ts';
import type { Policy } from '../../src/net/fetch/policy.ts';
import { Metrics } from '../../src/net/http/metrics.ts';
import { websub } from '../../src/protocols/websub/websub.ts';
import { claimHubs } from '../../src/storage/catalog/feeds/feed-hubs.ts';
import { addFeeds } from '../../src/storage/catalog/feeds/feeds.ts';
import { type HubAnswer, askHub } from '../../src/workers/feeds/ask-hub.ts';
import { type TestDatabase, testDatabase } from '../database/database.ts';
import { startServer, type TestServer } from '../apps/http-server.ts';
import { TestHub } from '../servers/websub-hub.ts';
import { addShow } from '../database/catalogue/add-show.ts';

/** 127.0.0.2 plays the internet; nothing may be asked of any other address. */
const policy: Policy = {
  resolve: async (host) => [host === 'inside.radio-haven.net' ? '127.0.0.1' : '127.0.0.2'],
  isAllowed: (ip) => ip === '127.0.0.2',
  connectMs: 2000,
};
const fetcher = new SafeFetcher({ policy });

export let database: TestDatabase;
export let server: TestServer;
export let hub: TestHub;
const metrics = new Metrics();
before(async () => {
  database = await testDatabase();
  server = await startServer([], {
    metrics,
    plainEndpoints: [websub({ db: database.pool, metrics })],
  });
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});
beforeEach(async () => {
  hub = await TestHub.start();
});
afterEach(async () => {
  await hub[Symbol.asyncDispose]();
  await database.pool.query('DELETE FROM feed_hubs');
});

export const TOPIC = 'https://feeds.radio-haven.net/harbour?a=1&b=2';
let shows = 0;
/** A show whose feed names this hub, and that is not due for a day. */
export async function newShow(
  topic = TOPIC,
  address = `http://hub.radio-haven.net:${hub.port}/`,
): Promise<number> {
  const feed = `https://feeds.radio-haven.net/${(shows += 1)}`;
  const id = await addShow(database.pool, { title: 'Harbour', feed: { address: feed, key: uuidOf(feed) } });
  assert.ok(id);
  await addFeeds(database.pool, [id]);
  await database.pool.query("UPDATE feeds SET next_due_at = now() + interval '1 day' WHERE show_id = $1", [
    id,
  ]);
  await keepHub(database.pool, id, { hub: address, topic });
  return id;
}

/** What the worker does when hubs are due. */
export async function ask(): Promise<HubAnswer[]> {
  const due = await claimHubs(database.pool, 10);
  const asked = await Promise.all(
    due.map((one) => askHub({ db: database.pool, fetcher, origin: server.origin }, one)),
  );
  await hub.settled();
  return asked;
}

interface State {
  failures: number;
  /** Seconds from now. */
  asked_next: number;
  read_next: number;
  pushed: number | null;
}
export async function stateOf(showId: number): Promise<State> {
  const { rows } = await database.pool.query<State>(
    `SELECT h.failures, extract(epoch FROM h.next_due_at - now())::float8 AS asked_next,
       extract(epoch FROM f.next_due_at - now())::float8 AS read_next,
       extract(epoch FROM f.pushed_until - now())::float8 AS pushed
     FROM feeds f LEFT JOIN feed_hubs h USING (show_id) WHERE f.show_id = $1`,
    [showId],
  );
  assert.ok(rows[0]);
  return rows[0];
}
export const keyOf = async (showId: number): Promise<Buffer> => {
  const { rows } = await database.pool.query<{ key: Buffer }>(
    'SELECT key FROM feed_hubs WHERE show_id = $1',
    [showId],
  );
  assert.ok(rows[0]);
  return rows[0].key;
};
export const callback = async (showId: number): Promise<string> =>
  callbackOf(server.origin, showId, await keyOf(showId));
export async function counted(outcome: string): Promise<number> {
  const { values } = (await metrics.registry.getSingleMetric('websub_calls_total')?.get()) ?? { values: [] };
  return values.find(({ labels }) => labels['outcome'] === outcome)?.value ?? 0;
}
export const HOUR = 3600;
export const DAY = 24 * HOUR;
