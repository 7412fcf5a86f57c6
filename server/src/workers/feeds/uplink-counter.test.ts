import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FetchFailed } from '../../net/fetch/fetch-failed.ts';
import type { DueFeed } from '../../storage/catalog/feeds/feeds.ts';
import { FeedTrouble } from './ask-feed.ts';
import { UplinkCounter } from './crawl.ts';
import { troubleOf } from './next-due.ts';

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
  const uplink = new UplinkCounter();
  const first = Array.from({ length: 50 }, () => uplink.isDown(unreached));
  assert.ok(first.every((isDown) => !isDown));
  assert.equal(uplink.isDown(unreached), true);
  const { word, outcome } = troubleOf(unreached, due, 0.5, true);
  assert.deepEqual([word, outcome.failures, outcome.dueInSeconds], ['offline', 2, 450]);
});

test('any answer says that the uplink is up, also one that says no', () => {
  const uplink = new UplinkCounter();
  for (let times = 0; times < 60; times += 1) uplink.isDown(unreached);
  assert.equal(uplink.isDown(new FeedTrouble('the server answers 500', 500)), false);
  assert.equal(uplink.isDown(unreached), false);
  assert.equal(troubleOf(unreached, due, 0.5).outcome.failures, 3);
});
