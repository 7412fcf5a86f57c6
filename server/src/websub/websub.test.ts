import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../test/database.ts';
import { type TestServer, sendRaw, startServer } from '../../test/http-server.ts';
import { TestHub } from '../../test/websub-hub.ts';
import { addFeeds } from '../catalog/feeds.ts';
import { claimHubs, noteHub } from '../catalog/feed-hubs.ts';
import { addShow } from '../catalog/shows.ts';
import { Metrics } from '../http/metrics.ts';
import { SafeFetcher } from '../lib/fetch-safely/fetch-safely.ts';
import type { Policy } from '../lib/fetch-safely/policy.ts';
import { uuidOf } from '../lib/uuid-of.ts';
import { type Asked, askHub } from './ask-hub.ts';
import { callbackOf, secretOf } from './callback.ts';
import { MOST_BYTES } from './deliver.ts';
import { websub } from './websub.ts';

/** 127.0.0.2 plays the internet; nothing may be asked of any other address. */
const policy: Policy = {
  resolve: async (host) => [host === 'inside.radio-haven.net' ? '127.0.0.1' : '127.0.0.2'],
  isAllowed: (ip) => ip === '127.0.0.2',
  connectMs: 2000,
};
const fetcher = new SafeFetcher({ policy });

let database: TestDatabase;
let server: TestServer;
let hub: TestHub;
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

const TOPIC = 'https://feeds.radio-haven.net/harbour?a=1&b=2';
let shows = 0;
/** A show whose feed names this hub, and that is not due for a day. */
async function newShow(topic = TOPIC, address = `http://hub.radio-haven.net:${hub.port}/`): Promise<number> {
  const feed = `https://feeds.radio-haven.net/${(shows += 1)}`;
  const id = await addShow(database.pool, { title: 'Harbour', feed: { address: feed, key: uuidOf(feed) } });
  assert.ok(id);
  await addFeeds(database.pool, [id]);
  await database.pool.query("UPDATE feeds SET next_due_at = now() + interval '1 day' WHERE show_id = $1", [
    id,
  ]);
  await noteHub(database.pool, id, { hub: address, topic });
  return id;
}

/** What the worker does when hubs are due. */
async function ask(): Promise<Asked[]> {
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
async function stateOf(showId: number): Promise<State> {
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
const keyOf = async (showId: number): Promise<Buffer> => {
  const { rows } = await database.pool.query<{ key: Buffer }>(
    'SELECT key FROM feed_hubs WHERE show_id = $1',
    [showId],
  );
  assert.ok(rows[0]);
  return rows[0].key;
};
const callback = async (showId: number): Promise<string> =>
  callbackOf(server.origin, showId, await keyOf(showId));
async function counted(outcome: string): Promise<number> {
  const { values } = (await metrics.registry.getSingleMetric('websub_calls_total')?.get()) ?? { values: [] };
  return values.find(({ labels }) => labels['outcome'] === outcome)?.value ?? 0;
}
const HOUR = 3600;
const DAY = 24 * HOUR;

test('a hub is asked, asks back, and its news have the feed read at once', async () => {
  const showId = await newShow();
  assert.deepEqual(await ask(), ['taken']);
  const [form] = hub.asked;
  assert.equal(form?.get('hub.mode'), 'subscribe');
  assert.equal(form?.get('hub.topic'), TOPIC);
  assert.equal(form?.get('hub.lease_seconds'), String(10 * DAY));
  assert.match(form?.get('hub.callback') ?? '', /\/websub\/\d+\/[0-9a-f]{32}$/);
  assert.match(form?.get('hub.secret') ?? '', /^[0-9a-f]{64}$/);
  const [verification] = hub.verifications;
  assert.deepEqual([verification?.status, verification?.body], [200, verification?.challenge]);

  const agreed = await stateOf(showId);
  assert.equal(agreed.failures, 0);
  assert.ok(Math.abs((agreed.pushed ?? 0) - 10 * DAY) < 60, 'told till the lease ends');
  assert.ok(agreed.asked_next > 6.9 * DAY && agreed.asked_next < 8.6 * DAY, 'renewed before that');
  assert.ok(agreed.read_next > 23 * HOUR, 'an agreement is no news');

  assert.equal(await hub.publish(TOPIC, '<rss>…</rss>'), 202);
  assert.ok((await stateOf(showId)).read_next <= 0);
});

for (const method of ['sha1', 'sha256', 'sha384', 'sha512'] as const) {
  test(`news signed by ${method} are heard`, async () => {
    hub.options = { method };
    const showId = await newShow();
    await ask();
    assert.equal(await hub.publish(TOPIC, 'x'.repeat(3 * 2 ** 20)), 202);
    assert.ok((await stateOf(showId)).read_next <= 0);
  });
}

test('a hub that asks back before it answers is understood too', async () => {
  hub.options = { verifiesFirst: true };
  const showId = await newShow();
  assert.deepEqual(await ask(), ['taken']);
  assert.ok(((await stateOf(showId)).pushed ?? 0) > 9 * DAY);
});

test('a subscription is renewed, with the same callback, before it ends', async () => {
  const showId = await newShow();
  await ask();
  assert.deepEqual(await ask(), [], 'not before its time');
  await database.pool.query('UPDATE feed_hubs SET next_due_at = now()');
  hub.options = { leaseSeconds: 3 * DAY };
  await ask();
  assert.equal(hub.asked.length, 2);
  assert.equal(hub.asked[0]?.get('hub.callback'), hub.asked[1]?.get('hub.callback'));
  const { pushed, asked_next } = await stateOf(showId);
  assert.ok(Math.abs((pushed ?? 0) - 3 * DAY) < 60);
  assert.ok(asked_next > 2 * DAY && asked_next < 2.6 * DAY);
});

for (const [leaseSeconds, pushed, soonest] of [
  [60, 60, HOUR],
  [0, 0, HOUR],
  [10 ** 9, 30 * DAY, 20 * DAY],
] as const) {
  test(`a lease of ${leaseSeconds} seconds: asked again no sooner than in ${soonest}`, async () => {
    hub.options = { leaseSeconds };
    const showId = await newShow();
    await ask();
    const state = await stateOf(showId);
    assert.ok(Math.abs((state.pushed ?? -1) - pushed) < 30, String(state.pushed));
    assert.ok(state.asked_next > soonest - 30, String(state.asked_next));
  });
}

test('two that ask at once ask each hub once', async () => {
  for (let n = 0; n < 20; n += 1) await newShow(`${TOPIC}&n=${n}`);
  const claimed = await Promise.all([1, 2, 3, 4].map(() => claimHubs(database.pool, 10)));
  const ids = claimed.flat().map(({ show_id }) => show_id);
  assert.equal(ids.length, 20);
  assert.equal(new Set(ids).size, 20);
});

test('of a feed that is gone no hub is asked, and the subscription is forgotten', async () => {
  const [gone, alive] = [await newShow(), await newShow()];
  await database.pool.query('UPDATE feeds SET gone_at = now() WHERE show_id = $1', [gone]);
  assert.deepEqual(
    (await claimHubs(database.pool, 10)).map(({ show_id }) => show_id),
    [alive],
  );
  assert.equal((await stateOf(gone)).asked_next, null);
});

test('a hub that does not agree is asked ever later, in the end once in 30 days', async () => {
  hub.options = { answer: (response) => response.writeHead(500).end('no') };
  const showId = await newShow();
  const waits: number[] = [];
  for (let n = 0; n < 12; n += 1) {
    assert.deepEqual(await ask(), ['refused']);
    waits.push(Math.round((await stateOf(showId)).asked_next / HOUR));
    await database.pool.query('UPDATE feed_hubs SET next_due_at = now()');
  }
  assert.deepEqual(waits, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 720, 720]);
  hub.options = {};
  await ask();
  assert.equal((await stateOf(showId)).failures, 0, 'and when it agrees after all, that is forgotten');
});

test('a hub that takes the question and never comes back is asked again', async () => {
  hub.options = { answer: (response) => response.writeHead(202).end() };
  const showId = await newShow();
  assert.deepEqual(await ask(), ['taken']);
  const { failures, asked_next, pushed } = await stateOf(showId);
  assert.deepEqual([failures, pushed], [1, null]);
  assert.ok(asked_next > 0 && asked_next <= HOUR);
});

test('a hub that denies is left alone for a month, and the crawl goes on as before', async () => {
  const showId = await newShow();
  await ask();
  hub.options = { denies: true };
  await database.pool.query('UPDATE feed_hubs SET next_due_at = now()');
  await ask();
  const { asked_next, pushed } = await stateOf(showId);
  assert.equal(pushed, null);
  assert.ok(asked_next > 29 * DAY);
});

test('a hub that has moved is asked where it is', async () => {
  await using next = await TestHub.start();
  const location = `http://next.radio-haven.net:${next.port}/`;
  hub.options = { answer: (response) => response.writeHead(307, { location }).end() };
  const showId = await newShow();
  assert.deepEqual(await ask(), ['taken']);
  await next.settled();
  assert.equal(next.asked[0]?.get('hub.topic'), TOPIC);
  assert.ok(((await stateOf(showId)).pushed ?? 0) > 9 * DAY);
});

test('no hub inside is ever asked: by literal, by name, by redirect', async () => {
  const takesAll = { answer: (response: ServerResponse) => void response.writeHead(202).end() };
  await using inside = await TestHub.start(takesAll, '127.0.0.1');
  for (const address of [
    `http://127.0.0.1:${inside.port}/`,
    `http://inside.radio-haven.net:${inside.port}/`,
    `http://[::ffff:127.0.0.1]:${inside.port}/`,
  ]) {
    const showId = await newShow(TOPIC, address);
    assert.deepEqual(await ask(), ['unsafe'], address);
    assert.ok((await stateOf(showId)).asked_next > 29 * DAY);
  }
  const location = `http://inside.radio-haven.net:${inside.port}/`;
  hub.options = { answer: (response) => response.writeHead(307, { location }).end() };
  await newShow();
  assert.deepEqual(await ask(), ['unsafe']);
  assert.equal(inside.asked.length, 0);
  await fetch(`http://127.0.0.1:${inside.port}/`, { method: 'POST', body: 'x' });
  assert.equal(inside.asked.length, 1, 'the control: it does hear who asks');
});

test('what a hub may not be is not even kept', async () => {
  for (const address of [
    'ftp://hub.net/',
    'http://localhost/',
    'http://user:x@hub.net/',
    'http://hub.net:22/',
  ]) {
    const showId = await newShow(TOPIC, address);
    assert.equal((await stateOf(showId)).asked_next, null, address);
  }
});

test('a feed that names its hub again writes nothing; another hub or none ends the subscription', async () => {
  const showId = await newShow();
  await ask();
  const rowOf = async (): Promise<unknown> =>
    (await database.pool.query('SELECT h.ctid, h.xmax, h.* FROM feed_hubs h WHERE show_id = $1', [showId]))
      .rows[0];
  const first = await rowOf();
  const offer = { hub: `http://hub.radio-haven.net:${hub.port}/`, topic: TOPIC };
  await noteHub(database.pool, showId, offer);
  assert.deepEqual(await rowOf(), first);

  const oldCallback = await callback(showId);
  await noteHub(database.pool, showId, { ...offer, topic: `${TOPIC}&moved` });
  const moved = await stateOf(showId);
  assert.deepEqual([moved.pushed, moved.failures], [null, 0]);
  assert.ok(moved.asked_next > 0.9 * HOUR, 'not more than one question an hour');
  assert.equal((await fetch(oldCallback, { method: 'POST', body: 'x' })).status, 410);

  await noteHub(database.pool, showId, undefined);
  assert.equal(await rowOf(), undefined);
});

test('forged news are received like any other, and change nothing', async () => {
  const showId = await newShow();
  await ask();
  const to = await callback(showId);
  const secret = secretOf(await keyOf(showId));
  const forged = await counted('forged');
  const unsigned = await counted('unsigned');
  const right = hub.sign(secret, 'news');
  const bad: (string | undefined)[] = [
    undefined,
    '',
    'sha1=',
    right.slice(0, -1),
    right.replace('sha1', 'md5'),
    `sha256=${right.slice(5)}`,
    hub.sign('another secret', 'news'),
    hub.sign(secret, 'other news'),
    `sha1=${'0'.repeat(40)}`,
  ];
  for (const signature of bad) {
    const headers: Record<string, string> = signature === undefined ? {} : { 'x-hub-signature': signature };
    const answer = await fetch(to, { method: 'POST', body: 'news', headers });
    assert.deepEqual([answer.status, await answer.text()], [202, 'Received.\n'], signature ?? 'none');
  }
  assert.ok((await stateOf(showId)).read_next > 23 * HOUR);
  assert.equal((await counted('forged')) - forged, 4);
  assert.equal((await counted('unsigned')) - unsigned, 5);
  const answer = await fetch(to, { method: 'POST', body: 'news', headers: { 'x-hub-signature': right } });
  assert.equal(answer.status, 202);
  assert.ok((await stateOf(showId)).read_next <= 0, 'the control: the right signature does');
});

test('news without end have the feed read once a minute, and none is lost', async () => {
  const showId = await newShow();
  await ask();
  const heard = await counted('heard');
  const repeated = await counted('repeated');
  const dueIn = async (): Promise<number> => Math.round((await stateOf(showId)).read_next);
  for (let n = 0; n < 10; n += 1)
    await Promise.all(Array.from({ length: 10 }, () => hub.publish(TOPIC, 'the same')));
  // The first at once, the next a minute later, and that one covers all others.
  assert.equal((await counted('heard')) - heard, 2);
  assert.equal((await counted('repeated')) - repeated, 98);

  await database.pool.query("UPDATE feeds SET next_due_at = now() + interval '1 day' WHERE show_id = $1", [
    showId,
  ]);
  await hub.publish(TOPIC, 'more');
  assert.equal(await dueIn(), DAY, 'one is to come already');
  await database.pool.query("UPDATE feeds SET wanted_at = now() - interval '20 seconds' WHERE show_id = $1", [
    showId,
  ]);
  await hub.publish(TOPIC, 'more');
  assert.ok(Math.abs((await dueIn()) - 40) <= 2, 'a minute after the last');
});

test('a body larger than any feed is not read to its end', async () => {
  const showId = await newShow();
  await ask();
  const { pathname } = new URL(await callback(showId));
  const head = (framing: string): string =>
    `POST ${pathname} HTTP/1.1\r\nHost: x\r\nX-Hub-Signature: sha1=${'0'.repeat(40)}\r\n${framing}\r\n\r\n`;
  const { httpPort } = server.listeners;
  const announced = await sendRaw(httpPort, head(`Content-Length: ${MOST_BYTES + 1}`));
  assert.match(announced, /^HTTP\/1\.1 413 [^]*Connection: close/);
  const chunk = Buffer.from(`${(2 ** 20).toString(16)}\r\n${'x'.repeat(2 ** 20)}\r\n`);
  const chunks = Array.from({ length: 9 }, () => chunk);
  const streamed = await sendRaw(
    httpPort,
    Buffer.concat([Buffer.from(head('Transfer-Encoding: chunked')), ...chunks]),
    4000,
  );
  assert.match(streamed, /^HTTP\/1\.1 413 /);
  assert.ok((await stateOf(showId)).read_next > 23 * HOUR);
});

test('a body that is cut off, or hangs, harms nobody', async () => {
  const showId = await newShow();
  await ask();
  const { pathname } = new URL(await callback(showId));
  const head = `POST ${pathname} HTTP/1.1\r\nHost: x\r\nX-Hub-Signature: sha1=${'0'.repeat(40)}\r\nContent-Length: 100\r\n\r\nx`;
  await Promise.all(Array.from({ length: 30 }, () => sendRaw(server.listeners.httpPort, head, 100)));
  assert.equal(await hub.publish(TOPIC, 'news'), 202);
  assert.deepEqual(
    server.logLines.filter((line) => line.includes('unexpected')),
    [],
  );
});

interface Verification {
  mode?: string;
  topic?: string;
  challenge?: string;
  lease?: string;
}
const verification = ({
  mode = 'subscribe',
  topic = TOPIC,
  challenge = 'abc',
  lease = '864000',
}: Verification): string =>
  `?${new URLSearchParams({ 'hub.mode': mode, 'hub.topic': topic, 'hub.challenge': challenge, 'hub.lease_seconds': lease }).toString()}`;

const statusOf = async (address: string): Promise<number> => (await fetch(address)).status;

test('only what was asked for is confirmed', async () => {
  const showId = await newShow();
  const to = await callback(showId);
  assert.equal(await statusOf(to + verification({})), 404, 'nobody has asked yet');
  await claimHubs(database.pool, 10);
  const wrong: [what: string, address: string][] = [
    ['another topic', to + verification({ topic: `${TOPIC}/` })],
    ['no topic', `${to}?hub.mode=subscribe&hub.challenge=abc`],
    ['an end that nobody asked for', to + verification({ mode: 'unsubscribe' })],
    ['another mode', to + verification({ mode: 'constructor' })],
    ['no challenge', to + verification({ challenge: '' })],
    ['nothing', to],
    ['another token', to.slice(0, -1) + (to.endsWith('0') ? '1' : '0') + verification({})],
    ['another show', to.replace(`/${showId}/`, `/${showId + 1000}/`) + verification({})],
    ['no show', to.replace(`/${showId}/`, '/x/') + verification({})],
    ['a show beyond all numbers', to.replace(`/${showId}/`, '/99999999999999999999/') + verification({})],
  ];
  for (const [what, address] of wrong) assert.equal(await statusOf(address), 404, what);
  assert.equal((await fetch(to + verification({}), { method: 'HEAD' })).status, 404);
  assert.equal((await stateOf(showId)).pushed, null);
  assert.equal(await statusOf(to + verification({})), 200, 'the control');
  await database.pool.query("UPDATE feed_hubs SET asked_at = now() - interval '25 hours'");
  assert.equal(await statusOf(to + verification({})), 404, 'a day later nobody asked just now');
});

test('a challenge comes back as plain text that no browser runs', async () => {
  const showId = await newShow();
  await claimHubs(database.pool, 10);
  const challenge = '<script>alert(1)</script>\r\nSet-Cookie: a=b "é';
  const answer = await fetch((await callback(showId)) + verification({ challenge }));
  assert.equal(await answer.text(), challenge);
  assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8');
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
  assert.match(answer.headers.get('content-security-policy') ?? '', /default-src 'none'.*sandbox/);
  assert.equal(answer.headers.get('set-cookie'), null);
});

test('no line of the log holds a token or a secret', async () => {
  await newShow();
  await ask();
  await hub.publish(TOPIC, 'news');
  const [{ secret, callback: to } = { secret: '', callback: '' }] = hub.subscriptions.values();
  const token = to.split('/').at(-1) ?? '';
  assert.ok(token.length === 32 && secret.length === 64);
  assert.deepEqual(
    server.logLines.filter((line) => line.includes(token) || line.includes(secret)),
    [],
  );
});
