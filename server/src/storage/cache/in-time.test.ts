import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withCallBounds } from '../../lib/deadlines/call-bounds.ts';
import { Fault } from '../../lib/fault.ts';
import { inTime } from './in-time.ts';
import { setDatabaseWaitFactor } from '../db/wait-factor.ts';

// How long it takes to give up is measured.
setDatabaseWaitFactor(1);

const isAway = { status: 503, code: 'service.unavailable' };

test('an answer in time is given', async () => {
  assert.equal(await inTime(() => Promise.resolve('here'), 1000), 'here');
});

test('who waits too long is told that the database is away', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  await assert.rejects(
    inTime(() => promise, 20),
    isAway,
  );
  resolve('too late');
});

test('so is who asks a database that is away', async () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  await assert.rejects(
    inTime(() => Promise.reject(refused), 1000),
    isAway,
  );
});

test('a fault stays what it is, and so does a mistake of ours', async () => {
  const fault = new Fault(400, 'request.invalid', 'No');
  await assert.rejects(
    inTime(() => Promise.reject(fault), 1000),
    fault,
  );
  const mistake = new TypeError('undefined is not a function');
  await assert.rejects(
    inTime(() => Promise.reject(mistake), 1000),
    mistake,
  );
});

test('of calls that share places only so many wait for the database, and who comes then is told at once', async () => {
  const places = { inUse: 0, max: 2 };
  const silent = Promise.withResolvers<string>();
  let asked = 0;
  const call = (): Promise<string> =>
    withCallBounds(5000, places, () =>
      inTime(() => {
        asked += 1;
        return silent.promise;
      }, 2000),
    );
  const first = [call(), call()];
  await assert.rejects(call(), isAway);
  assert.equal(asked, 2, 'the database is not asked for it');
  silent.resolve('here');
  assert.deepEqual(await Promise.all(first), ['here', 'here']);
  assert.equal(places.inUse, 0);
  assert.equal(await call(), 'here');
  const failing = withCallBounds(5000, places, () =>
    inTime(() => Promise.reject(new TypeError('ours')), 2000),
  );
  await assert.rejects(failing, TypeError);
  assert.equal(places.inUse, 0);
});
