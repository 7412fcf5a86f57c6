import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FetchFailed } from '../lib/fetch-safely/fetch-failed.ts';
import type { DueFeed } from '../catalog/due-feeds.ts';
import { FeedTrouble } from './ask-feed.ts';
import { Line } from './line.ts';
import { troubleOf } from './trouble.ts';

const unreached = FetchFailed.because('lookup', Object.assign(new Error('x'), { code: 'ENOTFOUND' }));
const due: DueFeed = {
  show_id: 1,
  host: 'a.example.net',
  address: 'https://a.example.net/',
  etag: null,
  last_modified: null,
  interval_seconds: 3600,
  failures: 2,
  trouble: null,
  digest: null,
  has_hub: false,
  claimed_at: Temporal.Instant.from('2026-06-01T12:00:00Z'),
};

test('when nobody can be reached the feeds have not failed', () => {
  const line = new Line();
  const first = Array.from({ length: 50 }, () => line.isDown(unreached));
  assert.ok(first.every((isDown) => !isDown));
  assert.equal(line.isDown(unreached), true);
  const { word, outcome } = troubleOf(unreached, due, 0.5, true);
  assert.deepEqual([word, outcome.failures, outcome.dueInSeconds], ['offline', 2, 450]);
});

test('any answer says that the line is up, also one that says no', () => {
  const line = new Line();
  for (let times = 0; times < 60; times += 1) line.isDown(unreached);
  assert.equal(line.isDown(new FeedTrouble('the server answers 500', 500)), false);
  assert.equal(line.isDown(unreached), false);
  assert.equal(troubleOf(unreached, due, 0.5).outcome.failures, 3);
});
