import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestHub } from '../../../test/servers/websub-hub.ts';
import { claimHubs } from '../../storage/catalog/feeds/feed-hubs.ts';
import {
  database,
  hub,
  TOPIC,
  newShow,
  ask,
  stateOf,
  HOUR,
  DAY,
} from '../../../test/content/websub-world.ts';

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
