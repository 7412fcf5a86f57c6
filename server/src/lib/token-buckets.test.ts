import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TokenBuckets } from './token-buckets.ts';

const limits = { perSecond: 10, burst: 3 };

test('a burst passes, then as many as the rate allows, and the wait is told', () => {
  const buckets = new TokenBuckets();
  assert.deepEqual(
    [1, 2, 3].map(() => buckets.take('a', limits, 0)),
    [0, 0, 0],
  );
  assert.equal(buckets.take('a', limits, 0), 0.1);
  assert.equal(buckets.take('a', limits, 50), 0.05);
  assert.equal(buckets.take('a', limits, 100), 0);
  assert.ok(buckets.take('a', limits, 101) > 0.09);
});

test('a quiet time fills a bucket to its burst and no further', () => {
  const buckets = new TokenBuckets();
  buckets.take('a', limits, 0);
  const taken = Array.from({ length: 5 }, () => buckets.take('a', limits, 3_600_000));
  assert.equal(taken.filter((wait) => wait === 0).length, 3);
});

test('keys are apart, and a million of them cost no more memory than a few', () => {
  const buckets = new TokenBuckets(1000);
  for (let n = 0; n < 3; n++) buckets.take('busy', limits, 0);
  for (let n = 0; n < 1_000_000; n++) assert.equal(buckets.take(`key ${n}`, limits, 0), 0);
  assert.ok(buckets.size <= 2000);
});

test('a key in use stays known while others come and go', () => {
  const buckets = new TokenBuckets(1000);
  for (let n = 0; n < 3; n++) buckets.take('busy', limits, 0);
  for (let n = 0; n < 5000; n++) {
    buckets.take(`key ${n}`, limits, 0);
    if (n % 500 === 0) assert.ok(buckets.take('busy', limits, 0) > 0);
  }
});

test('a token given back can be taken again, and never makes more than the burst', () => {
  const buckets = new TokenBuckets();
  for (let n = 0; n < 3; n++) buckets.take('a', limits, 0);
  buckets.giveBack('a', limits);
  assert.equal(buckets.take('a', limits, 0), 0);
  assert.ok(buckets.take('a', limits, 0) > 0);
  for (let n = 0; n < 10; n++) buckets.giveBack('a', limits);
  buckets.giveBack('never seen', limits);
  const taken = Array.from({ length: 5 }, () => buckets.take('a', limits, 0));
  assert.equal(taken.filter((wait) => wait === 0).length, 3);
});
