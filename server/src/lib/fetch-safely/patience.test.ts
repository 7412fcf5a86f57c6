import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Patience } from './patience.ts';

const never = (): void => undefined;
const tookMs = async (work: Promise<unknown>): Promise<number> => {
  const started = performance.now();
  await work;
  return performance.now() - started;
};

test('what comes in time is given, and what fails says why', async () => {
  using patience = new Patience(60_000);
  assert.equal(await patience.wait('connect', 30_000, (done) => void setTimeout(done, 10, 'here')), 'here');
  assert.equal(await patience.wait('connect', 30_000, (done) => done('at once')), 'at once');
  const broken = new Error('broken');
  await assert.rejects(
    patience.wait('connect', 30_000, (_done, fail) => fail(broken)),
    broken,
  );
  assert.equal(await patience.waitFor(Promise.resolve(7)), 7);
});

test('each wait has its own time, and one that was too long leaves time for others', async () => {
  using patience = new Patience(60_000);
  let calledOff = 0;
  const late = assert.rejects(
    patience.wait('answer', 60, () => () => (calledOff += 1)),
    { name: 'FetchFailed', step: 'answer', isLate: true, message: /longer than 60 ms/ },
  );
  const ms = await tookMs(late);
  assert.ok(ms >= 59, `${ms} ms`);
  assert.equal(calledOff, 1);
  assert.equal(await patience.wait('body', 30_000, (done) => void setTimeout(done, 5, 'later')), 'later');
});

test('all waits together have a time too, after which there are no more', async () => {
  using patience = new Patience(80);
  const { signal } = patience;
  await patience.wait<void>('connect', 30_000, (done) => done());
  await assert.rejects(patience.wait('answer', 30_000, never), { step: 'whole', isLate: true });
  assert.ok(patience.isOver && signal.aborted && patience.signal.aborted);
  await assert.rejects(
    patience.wait('body', 30_000, (done) => done('too late')),
    { step: 'whole' },
  );
});

test('a signal ends the wait that is under way, and every later one', async () => {
  const stop = new AbortController();
  using patience = new Patience(60_000, stop.signal);
  setTimeout(() => stop.abort(new Error('told to stop')), 10);
  await assert.rejects(patience.wait('body', 30_000, never), /told to stop/);
  await assert.rejects(patience.wait('body', 30_000, never), /told to stop/);
  using after = new Patience(60_000, stop.signal);
  await assert.rejects(after.wait('body', 30_000, never), /told to stop/);
});

test('a thing that comes when it is no longer waited for ends no other wait', async () => {
  using patience = new Patience(60_000);
  const { promise: comes, resolve: come } = Promise.withResolvers<string>();
  await assert.rejects(
    patience.wait('connect', 30, (found) => void comes.then(found)),
    { step: 'connect' },
  );
  const second = patience.wait<string>('body', 30_000, (done) => void setTimeout(done, 40, 'second'));
  come('first');
  assert.equal(await second, 'second');
});
