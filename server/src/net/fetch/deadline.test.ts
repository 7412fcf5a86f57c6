import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Deadline } from './deadline.ts';

const never = (): void => undefined;
const tookMs = async (work: Promise<unknown>): Promise<number> => {
  const started = performance.now();
  await work;
  return performance.now() - started;
};

test('what comes in time is given, and what fails says why', async () => {
  using deadline = new Deadline(60_000);
  assert.equal(await deadline.wait('connect', 30_000, (done) => void setTimeout(done, 10, 'here')), 'here');
  assert.equal(await deadline.wait('connect', 30_000, (done) => done('at once')), 'at once');
  const broken = new Error('broken');
  await assert.rejects(
    deadline.wait('connect', 30_000, (_done, fail) => fail(broken)),
    broken,
  );
  assert.equal(await deadline.waitFor(Promise.resolve(7)), 7);
});

test('each wait has its own time, and one that was too long leaves time for others', async () => {
  using deadline = new Deadline(60_000);
  let calledOff = 0;
  const late = assert.rejects(
    deadline.wait('answer', 60, () => () => (calledOff += 1)),
    { name: 'FetchFailed', step: 'answer', isLate: true, message: /longer than 60 ms/ },
  );
  const ms = await tookMs(late);
  assert.ok(ms >= 59, `${ms} ms`);
  assert.equal(calledOff, 1);
  assert.equal(await deadline.wait('body', 30_000, (done) => void setTimeout(done, 5, 'later')), 'later');
});

test('all waits together have a time too, after which there are no more', async () => {
  using deadline = new Deadline(80);
  const { signal } = deadline;
  await deadline.wait<void>('connect', 30_000, (done) => done());
  await assert.rejects(deadline.wait('answer', 30_000, never), { step: 'whole', isLate: true });
  assert.ok(deadline.isOver && signal.aborted && deadline.signal.aborted);
  await assert.rejects(
    deadline.wait('body', 30_000, (done) => done('too late')),
    { step: 'whole' },
  );
});

test('a signal ends the wait that is under way, and every later one', async () => {
  const stop = new AbortController();
  using deadline = new Deadline(60_000, stop.signal);
  setTimeout(() => stop.abort(new Error('told to stop')), 10);
  await assert.rejects(deadline.wait('body', 30_000, never), /told to stop/);
  await assert.rejects(deadline.wait('body', 30_000, never), /told to stop/);
  using after = new Deadline(60_000, stop.signal);
  await assert.rejects(after.wait('body', 30_000, never), /told to stop/);
});

test('a thing that comes when it is no longer waited for ends no other wait', async () => {
  using deadline = new Deadline(60_000);
  const { promise: comes, resolve: come } = Promise.withResolvers<string>();
  await assert.rejects(
    deadline.wait('connect', 30, (found) => void comes.then(found)),
    { step: 'connect' },
  );
  const second = deadline.wait<string>('body', 30_000, (done) => void setTimeout(done, 40, 'second'));
  come('first');
  assert.equal(await second, 'second');
});
