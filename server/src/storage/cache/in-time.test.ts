import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault } from '../../lib/fault.ts';
import { inTime } from './in-time.ts';
import { setDatabaseWaitFactor } from '../db/wait-factor.ts';

// How long it takes to give up is measured.
setDatabaseWaitFactor(1);

const isAway = { status: 503, code: 'service.unavailable' };

test('an answer in time is given', async () => {
  assert.equal(await inTime(Promise.resolve('here'), 1000), 'here');
});

test('who waits too long is told that the database is away', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  await assert.rejects(inTime(promise, 20), isAway);
  resolve('too late');
});

test('so is who asks a database that is away', async () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  await assert.rejects(inTime(Promise.reject(refused), 1000), isAway);
});

test('a fault stays what it is, and so does a mistake of ours', async () => {
  const fault = new Fault(400, 'request.invalid', 'No');
  await assert.rejects(inTime(Promise.reject(fault), 1000), fault);
  const mistake = new TypeError('undefined is not a function');
  await assert.rejects(inTime(Promise.reject(mistake), 1000), mistake);
});
