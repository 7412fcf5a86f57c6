import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { sendRaw } from '../../../test/apps/http-server.ts';
import { TestHub } from '../../../test/servers/websub-hub.ts';
import {
  ask,
  callback,
  counted,
  database,
  DAY,
  HOUR,
  hub,
  keyOf,
  newShow,
  server,
  stateOf,
  TOPIC,
} from '../../../test/content/websub-world.ts';
import { secretOf } from '../../core/feeds/callback.ts';
import { keepHub } from '../../core/feeds/keep-hub.ts';
import { claimHubs } from '../../storage/catalog/feeds/feed-hubs.ts';
import { MAX_PUSH_BYTES } from './websub.ts';

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
  await keepHub(database.pool, showId, offer);
  assert.deepEqual(await rowOf(), first);

  const oldCallback = await callback(showId);
  await keepHub(database.pool, showId, { ...offer, topic: `${TOPIC}&moved` });
  const moved = await stateOf(showId);
  assert.deepEqual([moved.pushed, moved.failures], [null, 0]);
  assert.ok(moved.asked_next > 0.9 * HOUR, 'not more than one question an hour');
  assert.equal((await fetch(oldCallback, { method: 'POST', body: 'x' })).status, 410);

  await keepHub(database.pool, showId, undefined);
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
  const announced = await sendRaw(httpPort, head(`Content-Length: ${MAX_PUSH_BYTES + 1}`));
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
