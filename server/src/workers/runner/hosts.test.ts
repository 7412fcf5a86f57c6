import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { Hosts, IN_HAND_PER_HOST } from './hosts.ts';

const never = new AbortController().signal;

test('two of a host have their turn at once, and no more than may be asked in all', async () => {
  const hosts = new Hosts(3);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const work = (name: string) => async (): Promise<void> => {
    begun.push(name);
    const { promise, resolve } = Promise.withResolvers<void>();
    ends.push(resolve);
    await promise;
  };
  const all = ['a', 'a', 'a', 'b', 'b'].map((host, index) =>
    hosts.inTurn(host, never, work(`${host}${index}`)),
  );
  await setImmediate();
  assert.deepEqual(begun, ['a0', 'a1', 'b3']);
  for (let count = 0; count < 5; count += 1) {
    ends[count]?.();
    await setImmediate();
  }
  await Promise.all(all);
  assert.equal(begun.length, 5);
});

test('what is in hand counts, and a host that others ask is full for a while', () => {
  const hosts = new Hosts(10);
  hosts.take(['a', 'a', 'a', 'a', 'quiet'], new Map());
  hosts.give('a');
  hosts.leave('b', 1000);
  assert.deepEqual(
    [...hosts.busy(2000)],
    [
      ['a', 3],
      ['b', IN_HAND_PER_HOST],
    ],
  );
  hosts.give('a');
  assert.deepEqual([...hosts.busy(6000)], [], 'two are asked at once and keep none from anything');
});

test('a host of which there was more than could be taken is told until its line is empty', () => {
  const hosts = new Hosts(10);
  hosts.take(
    Array.from({ length: IN_HAND_PER_HOST }, () => 'a'),
    hosts.busy(0),
  );
  for (let heard = 0; heard < IN_HAND_PER_HOST; heard += 1) hosts.give('a');
  assert.deepEqual([...hosts.busy(0)], [['a', 0]], 'there is room for the next ones');
  hosts.take(['a'], hosts.busy(0));
  hosts.give('a');
  assert.deepEqual([...hosts.busy(0)], [], 'they were fewer than there was room for');
});

test('who waits for a turn when the worker stops is not begun', async () => {
  const hosts = new Hosts(10);
  const stop = new AbortController();
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = [1, 2].map(() => hosts.inTurn('a', stop.signal, () => promise));
  let isBegun = false;
  const third = hosts.inTurn('a', stop.signal, async () => {
    isBegun = true;
  });
  await setImmediate();
  stop.abort(new Error('stopping'));
  await assert.rejects(third, /stopping/);
  resolve();
  await Promise.all(first);
  assert.equal(isBegun, false);
});

test('what was claimed while the worker stops is not begun, though its turn would be at once', async () => {
  const hosts = new Hosts(10);
  let isBegun = false;
  const late = hosts.inTurn('a', AbortSignal.abort(new Error('stopping')), async () => {
    isBegun = true;
  });
  await assert.rejects(late, /stopping/);
  assert.equal(isBegun, false);
});
