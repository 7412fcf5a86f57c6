import assert from 'node:assert/strict';
import test from 'node:test';
import { SiteFault } from '../calls/api.ts';
import { fieldOf, wordOfFault } from './fault-words.ts';

const fault = (status: number, code: string, field?: string, message = 'As the server says it') =>
  new SiteFault(status, { code, message, ...(field === undefined ? {} : { field }) });

test('a refusal that listeners meet is told in their language', () => {
  assert.deepEqual(wordOfFault(fault(401, 'validation.credentials', 'password')), {
    key: 'account.faultWrong',
  });
  assert.deepEqual(wordOfFault(fault(403, 'validation.credentials', 'password.old')), {
    key: 'account.faultNotYours',
  });
  assert.deepEqual(wordOfFault(fault(400, 'site.invalid', 'place.city')), { key: 'account.faultPlace' });
  assert.deepEqual(wordOfFault(fault(400, 'site.invalid', 'password.new')), { key: 'account.faultPassword' });
  assert.deepEqual(wordOfFault(fault(429, 'login.limit')), { key: 'account.faultTooMany' });
});

test('a refusal we have no words for is told in those of the server', () => {
  assert.deepEqual(wordOfFault(fault(400, 'preset.limit')), { text: 'As the server says it' });
});

test("what is not the listener's doing is not blamed on them", () => {
  assert.deepEqual(wordOfFault(fault(500, 'site.failed')), { key: 'state.brokenOther' });
  assert.deepEqual(wordOfFault(fault(503, 'busy')), { key: 'state.brokenBusy' });
  assert.deepEqual(wordOfFault(new TypeError('fetch failed')), { key: 'state.brokenNetwork' });
  assert.deepEqual(wordOfFault(new DOMException('', 'TimeoutError')), { key: 'state.brokenNetwork' });
});

test('a fault belongs to the field on the page, whatever part of it was wrong', () => {
  assert.equal(fieldOf(fault(400, 'site.invalid', 'place.postal')), 'place');
  assert.equal(fieldOf(fault(400, 'site.invalid')), undefined);
  assert.equal(fieldOf(new Error('x')), undefined);
});
