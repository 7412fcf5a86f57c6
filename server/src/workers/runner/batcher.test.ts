import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Batcher } from './batcher.ts';

test('what comes while a batch is under way is the next batch, and each gets its own answer', async () => {
  const batches: number[][] = [];
  const started = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const batcher = new Batcher<number, number>(async (items) => {
    batches.push(items);
    started.resolve();
    await released.promise;
    return items.map((item) => item * 2);
  }, 3);
  const first = [1, 2].map((item) => batcher.add(item));
  await started.promise;
  const later = [3, 4, 5, 6].map((item) => batcher.add(item));
  released.resolve();
  assert.deepEqual(await Promise.all([...first, ...later]), [2, 4, 6, 8, 10, 12]);
  assert.deepEqual(batches, [[1, 2], [3, 4, 5], [6]]);
});

test('a batch that fails fails for each of its items, and the next one is tried', async () => {
  let times = 0;
  const batcher = new Batcher<number, true>(async (items) => {
    times += 1;
    if (times === 1) throw new Error('away');
    return items.map(() => true);
  });
  const failed = await Promise.allSettled([batcher.add(1), batcher.add(2)]);
  assert.deepEqual(
    failed.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  assert.equal(await batcher.add(3), true);
});

test('a batch that lingers sets out with all that came meanwhile', async () => {
  const batches: number[][] = [];
  const batcher = new Batcher<number, true>(
    async (items) => {
      batches.push(items);
      return items.map(() => true);
    },
    500,
    20,
  );
  const first = batcher.add(1);
  await sleep(5);
  await Promise.all([first, batcher.add(2)]);
  await batcher.add(3);
  assert.deepEqual(batches, [[1, 2], [3]]);
});
