import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'node:test';
import { Fault } from '../lib/fault.ts';
import { ReadThrough, type ReadThroughOptions } from './read-through.ts';

const away = (): Error => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

const isUnavailable = (error: unknown): boolean =>
  error instanceof Fault && error.status === 503 && error.code === 'service.unavailable';

/** A cache over a source that counts its readings and can be made to fail or to wait. */
function counted(options: Partial<ReadThroughOptions<string>> = {}) {
  const source = { readings: 0, fails: undefined as Error | undefined, waitMs: 1 };
  const cache = new ReadThrough<string>({
    load: async (key) => {
      source.readings += 1;
      const count = source.readings;
      await sleep(source.waitMs);
      if (source.fails) throw source.fails;
      return `${key} ${count}`;
    },
    most: 3,
    freshMs: 10_000,
    staleMs: 20_000,
    ...options,
  });
  return { source, cache };
}

test('many callers of one key are one reading, and a fresh answer none', async () => {
  const { source, cache } = counted();
  const answers = await Promise.all(Array.from({ length: 50 }, () => cache.get('a')));
  assert.deepEqual(new Set(answers), new Set(['a 1']));
  assert.equal(await cache.get('a'), 'a 1');
  assert.equal(source.readings, 1);
});

test('an old answer is given at once while one caller reads again', async () => {
  const { source, cache } = counted({ freshMs: 0 });
  await cache.get('a');
  source.waitMs = 30;
  assert.deepEqual(await Promise.all([cache.get('a'), cache.get('a')]), ['a 1', 'a 1']);
  assert.equal(source.readings, 2);
  await sleep(60);
  assert.equal(await cache.get('a'), 'a 2');
});

test('while the source is away the old answer stays, and it is not asked at every call', async () => {
  const { source, cache } = counted({ freshMs: 0 });
  await cache.get('a');
  source.fails = away();
  for (let call = 0; call < 20; call++) {
    assert.equal(await cache.get('a'), 'a 1');
    await sleep(2);
  }
  assert.equal(source.readings, 2);
  source.fails = undefined;
  await sleep(1100);
  await cache.get('a');
  await sleep(20);
  assert.equal(await cache.get('a'), 'a 3', 'it heals by itself');
});

test('with nothing old to give, a source that is away or slow is a fault in time', async () => {
  const { source, cache } = counted({ deadlineMs: 40 });
  source.fails = away();
  await assert.rejects(cache.get('a'), isUnavailable);
  source.fails = undefined;
  source.waitMs = 200;
  const start = performance.now();
  await assert.rejects(cache.get('b'), isUnavailable);
  assert.ok(performance.now() - start < 150);
  await sleep(250);
  assert.equal(await cache.get('b'), 'b 2', 'what came late is kept for the next');
});

test('an answer older than its time is not given', async () => {
  const { source, cache } = counted({ freshMs: 0, staleMs: 20 });
  await cache.get('a');
  await sleep(40);
  source.fails = away();
  await assert.rejects(cache.get('a'), Fault);
  assert.equal(cache.peek('a'), undefined);
});

test('a key that cannot be read does not keep others from being read again', async () => {
  const { source, cache } = counted({ freshMs: 0 });
  await cache.get('a');
  source.fails = Object.assign(new Error('value out of range'), { code: '22003' });
  await assert.rejects(cache.get('bad'), /out of range/);
  source.fails = undefined;
  await cache.get('a');
  await sleep(20);
  assert.equal(await cache.get('a'), 'a 3');
});

test('a mistake of ours is not called an absence', async () => {
  const { source, cache } = counted();
  source.fails = Object.assign(new Error('column "x" does not exist'), { code: '42703' });
  await assert.rejects(cache.get('a'), /column "x"/);
});

test('answers of very different sizes are kept by what they weigh', async () => {
  const cache = new ReadThrough<string>({
    load: async (key) => 'x'.repeat(Number(key)),
    most: 100,
    weightOf: ({ length }) => length,
    freshMs: 10_000,
    staleMs: 10_000,
  });
  for (const key of ['10', '20', '30', '60']) await cache.get(key);
  assert.deepEqual(
    ['10', '20', '30', '60'].map((key) => cache.peek(key) !== undefined),
    [false, false, true, true],
  );
  assert.equal((await cache.get('500')).length, 500, 'what is too heavy to keep is still given');
  assert.equal(cache.peek('500'), undefined);
});

test('no more is kept than may be, and "there is none" is kept too', async () => {
  const { source, cache } = counted();
  for (const key of ['a', 'b', 'c', 'd']) await cache.get(key);
  assert.equal(cache.peek('a'), undefined);
  assert.equal(cache.peek('d'), 'd 4');
  let asked = 0;
  const none = new ReadThrough<undefined>({
    load: async () => void asked++,
    most: 3,
    freshMs: 10_000,
    staleMs: 10_000,
  });
  await none.get('x');
  await none.get('x');
  assert.equal(asked, 1);
  assert.equal(source.readings, 4);
});

test('who comes late waits for the new answer, and gets the old one only when there is no other', async () => {
  const { source, cache } = counted({ freshMs: 0, lateMs: 0 });
  assert.equal(await cache.get('a'), 'a 1');
  assert.equal(await cache.get('a'), 'a 2', 'the first to ask again has the new one');
  assert.equal(cache.recent('a'), undefined);
  assert.equal(cache.peek('a'), 'a 2');
  source.fails = away();
  assert.equal(await cache.get('a'), 'a 2');
  assert.equal(await cache.get('a'), 'a 2');
  assert.equal(source.readings, 3, 'a source that is away is not asked at every call');
});

test('who comes late does not wait for ever', async () => {
  const { source, cache } = counted({ freshMs: 0, lateMs: 0, deadlineMs: 20 });
  await cache.get('a');
  source.waitMs = 1000;
  assert.equal(await cache.get('a'), 'a 1');
});

test('a mistake of ours is told to who comes late', async () => {
  const { source, cache } = counted({ freshMs: 0, lateMs: 0 });
  await cache.get('a');
  source.fails = new TypeError('a mistake');
  await assert.rejects(cache.get('a'), /a mistake/);
});
