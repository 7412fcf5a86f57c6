import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NoSeat, Seats } from './seats.ts';

const never = new AbortController();

test('so many at once for a key, then in line, first come first served', async () => {
  const seats = new Seats(2, 10);
  const first = await seats.take('a', never);
  const second = await seats.take('a', never);
  const order: string[] = [];
  const inLine = async (name: string): Promise<Disposable> => {
    const seat = await seats.take('a', never);
    order.push(name);
    return seat;
  };
  const [third, fourth] = [inLine('third'), inLine('fourth')];
  const other = await seats.take('b', never);
  assert.deepEqual(order, []);
  first[Symbol.dispose]();
  const thirdSeat = await third;
  assert.deepEqual(order, ['third']);
  second[Symbol.dispose]();
  for (const seat of [thirdSeat, await fourth, other]) seat[Symbol.dispose]();
  assert.equal(seats.size, 0, 'nothing is remembered of keys nobody uses');
});

test('the line has an end, and who gives up leaves it', async () => {
  const seats = new Seats(1, 1);
  const seat = await seats.take('a', never);
  const leaving = new AbortController();
  const waiting = Promise.resolve(seats.take('a', leaving));
  await assert.rejects(async () => seats.take('a', never), NoSeat);
  leaving.abort(new Error('enough'));
  await assert.rejects(waiting, /enough/);
  const next = seats.take('a', never);
  seat[Symbol.dispose]();
  (await next)[Symbol.dispose]();
  assert.equal(seats.size, 0);
});

test('who gives a seat back twice gives nobody else’s', async () => {
  const seats = new Seats(1, 10);
  const first = await seats.take('a', never);
  first[Symbol.dispose]();
  const second = await seats.take('a', never);
  first[Symbol.dispose]();
  const third = seats.take('a', never);
  assert.ok(third instanceof Promise, 'it waits in line');
  second[Symbol.dispose]();
  (await third)[Symbol.dispose]();
  assert.equal(seats.size, 0);
});
