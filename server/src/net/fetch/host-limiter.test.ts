import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HostBusy, HostLimiter } from './host-limiter.ts';

const never = new AbortController();

test('so many at once for a key, then in line, first come first served', async () => {
  const slots = new HostLimiter(2, 10);
  const first = await slots.take('a', never);
  const second = await slots.take('a', never);
  const order: string[] = [];
  const inLine = async (name: string): Promise<Disposable> => {
    const slot = await slots.take('a', never);
    order.push(name);
    return slot;
  };
  const [third, fourth] = [inLine('third'), inLine('fourth')];
  const other = await slots.take('b', never);
  assert.deepEqual(order, []);
  first[Symbol.dispose]();
  const thirdSeat = await third;
  assert.deepEqual(order, ['third']);
  second[Symbol.dispose]();
  for (const slot of [thirdSeat, await fourth, other]) slot[Symbol.dispose]();
  assert.equal(slots.size, 0, 'nothing is remembered of keys nobody uses');
});

test('the line has an end, and who gives up leaves it', async () => {
  const slots = new HostLimiter(1, 1);
  const slot = await slots.take('a', never);
  const leaving = new AbortController();
  const waiting = Promise.resolve(slots.take('a', leaving));
  await assert.rejects(async () => slots.take('a', never), HostBusy);
  leaving.abort(new Error('enough'));
  await assert.rejects(waiting, /enough/);
  const next = slots.take('a', never);
  slot[Symbol.dispose]();
  (await next)[Symbol.dispose]();
  assert.equal(slots.size, 0);
});

test('who gives a seat back twice gives nobody else’s', async () => {
  const slots = new HostLimiter(1, 10);
  const first = await slots.take('a', never);
  first[Symbol.dispose]();
  const second = await slots.take('a', never);
  first[Symbol.dispose]();
  const third = slots.take('a', never);
  assert.ok(third instanceof Promise, 'it waits in line');
  second[Symbol.dispose]();
  (await third)[Symbol.dispose]();
  assert.equal(slots.size, 0);
});
