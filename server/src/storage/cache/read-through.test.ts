import assert from 'node:assert/strict';
import { after, before, mock, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { Fault } from '../../lib/fault.ts';
import { isAway } from './away.ts';
import { ReadThrough, type ReadThroughOptions } from './read-through.ts';
import { setDatabaseWaitFactor } from '../db/wait-factor.ts';
import { ManualClock } from '../../../test/time/manual-clock.ts';

// How long it takes to give up is measured.
setDatabaseWaitFactor(1);

const away = (): Error => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

const isUnavailable = (error: unknown): boolean =>
  error instanceof Fault && error.status === 503 && error.code === 'service.unavailable';

/** A cache over a source that counts its readings and can be made to fail or to wait. Its time goes on when told to. */
function counted(options: Partial<ReadThroughOptions<string>> = {}) {
  const source = { readings: 0, fails: undefined as Error | undefined, answersAfter: Promise.resolve() };
  const clock = new ManualClock('2026-01-01T00:00:00Z');
  const cache = new ReadThrough<string>({
    load: async (key) => {
      source.readings += 1;
      const count = source.readings;
      await source.answersAfter;
      if (source.fails) throw source.fails;
      return `${key} ${count}`;
    },
    most: 3,
    freshMs: 10_000,
    staleMs: 20_000,
    clock,
    ...options,
  });
  return { source, cache, clock };
}

/** From now on the source answers when it is let, not before. */
function hold(source: { answersAfter: Promise<void> }): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  source.answersAfter = promise;
  return async () => {
    resolve();
    await readings();
  };
}

/** What is read behind the caller's back is read now, if the source answers. */
const readings = (): Promise<void> => setImmediate();

before(() => mock.timers.enable({ apis: ['setTimeout'] }));
after(() => mock.timers.reset());

test('many callers of one key are one reading, and a fresh answer none', async () => {
  const { source, cache } = counted();
  const answers = await Promise.all(Array.from({ length: 50 }, () => cache.get('a')));
  assert.deepEqual(new Set(answers), new Set(['a 1']));
  assert.equal(await cache.get('a'), 'a 1');
  assert.equal(source.readings, 1);
});

test('what was being read when it was forgotten is not kept', async () => {
  const { source, cache } = counted();
  const letIt = hold(source);
  const earlier = cache.get('a');
  cache.forget('a');
  const later = cache.get('a');
  await letIt();
  assert.deepEqual(await Promise.all([earlier, later]), ['a 1', 'a 2']);
  assert.equal(cache.fresh('a'), 'a 2');
});

test('an old answer is given at once while one caller reads again', async () => {
  const { source, cache } = counted({ freshMs: 0 });
  await cache.get('a');
  const answer = hold(source);
  assert.deepEqual(await Promise.all([cache.get('a'), cache.get('a')]), ['a 1', 'a 1']);
  assert.equal(source.readings, 2);
  await answer();
  assert.equal(await cache.get('a'), 'a 2');
});

test('while the source is away the old answer stays, and it is not asked at every call', async () => {
  const { source, cache, clock } = counted({ freshMs: 0 });
  await cache.get('a');
  source.fails = away();
  for (let call = 0; call < 20; call++) {
    assert.equal(await cache.get('a'), 'a 1');
    await readings();
  }
  clock.advance({ milliseconds: 999 });
  assert.equal(await cache.get('a'), 'a 1');
  assert.equal(source.readings, 2);
  source.fails = undefined;
  clock.advance({ milliseconds: 1 });
  await cache.get('a');
  await readings();
  assert.equal(await cache.get('a'), 'a 3', 'it heals by itself');
});

test('with nothing old to give, a source that is away or slow is a fault in time', async () => {
  const { source, cache } = counted({ deadlineMs: 40 });
  source.fails = away();
  await assert.rejects(cache.get('a'), isUnavailable);
  source.fails = undefined;
  const answer = hold(source);
  let isOver = false;
  const slow = cache.get('b').finally(() => (isOver = true));
  const isRefused = assert.rejects(slow, isUnavailable);
  mock.timers.tick(39);
  await readings();
  assert.equal(isOver, false, 'before its deadline it is waited for');
  mock.timers.tick(1);
  await isRefused;
  await answer();
  assert.equal(await cache.get('b'), 'b 2', 'what came late is kept for the next');
});

test('an answer older than its time is not given', async () => {
  const { source, cache, clock } = counted({ freshMs: 0, staleMs: 20 });
  await cache.get('a');
  source.fails = away();
  clock.advance({ milliseconds: 19 });
  assert.equal(await cache.get('a'), 'a 1');
  clock.advance({ milliseconds: 1 });
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
  await readings();
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
  hold(source);
  const late = cache.get('a');
  mock.timers.tick(20);
  assert.equal(await late, 'a 1');
});

test('a mistake of ours is told to who comes late', async () => {
  const { source, cache } = counted({ freshMs: 0, lateMs: 0 });
  await cache.get('a');
  source.fails = new TypeError('a mistake');
  await assert.rejects(cache.get('a'), /a mistake/);
});

const failure = (code: string | undefined, message = 'failed'): Error =>
  Object.assign(new Error(message), { code });

test('refused, reset, shut down, full, too slow, read-only and in the way are absences; wrong questions are not', () => {
  const table: [unknown, boolean][] = [
    [failure('ECONNREFUSED'), true],
    [failure('ECONNRESET'), true],
    [failure(undefined, 'timeout exceeded when trying to connect'), true],
    [failure(undefined, 'Connection terminated unexpectedly'), true],
    [failure('57P01'), true],
    [failure('57014'), true],
    [failure('53300'), true],
    [failure('25006'), true],
    [failure('40001'), true],
    [failure('40P01'), true],
    [failure('55P03'), true],
    [failure('CIINF'), true],
    [failure('XX000', 'failure on connection marked as essential: worker-1:5432'), true],
    [failure('XX000', 'could not receive data from server: Connection reset by peer'), true],
    [failure('XX000', 'could not send data to server: Broken pipe'), true],
    [failure('XX000', 'no connection to the server'), true],
    [failure('XX000', 'cache lookup failed for relation 5'), false],
    [failure('25001'), false],
    [failure('42P01'), false],
    [failure('23505'), false],
    [failure('22021'), false],
    [new TypeError('x is not a function'), false],
    [new RangeError('invalid'), false],
    [new AggregateError([away(), away()]), true],
    [new AggregateError([away(), new TypeError('undefined is not a function')]), false],
    ['text', false],
  ];
  for (const [error, expected] of table) assert.equal(isAway(error), expected, String(error));
});
