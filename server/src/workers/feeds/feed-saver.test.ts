import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabaseWithPlaces } from '../../../test/database/database.ts';
import { longFeed } from '../../../test/content/feed-samples.ts';
import { type Reading, readingOf } from '../../core/feeds/reading.ts';
import { parseFeed } from '../../formats/feed/parse-feed.ts';
import { uuidOf } from '../../lib/ids.ts';
import { addFeeds } from '../../storage/catalog/feeds/feeds.ts';
import { FeedSaver } from './crawl.ts';
import { ManualClock } from '../../../test/time/manual-clock.ts';
import { addShow } from '../../../test/database/catalogue/add-show.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabaseWithPlaces();
});
after(() => database[Symbol.asyncDispose]());

const clock = new ManualClock('2024-01-01T12:00:00Z');

async function newShow(number: number): Promise<number> {
  const address = `https://feeds.radio-haven.net/${number}`;
  const id = await addShow(database.pool, { title: 'Unread', feed: { address, key: uuidOf(address) } });
  assert.ok(id);
  await addFeeds(database.pool, [id]);
  return id;
}

const reading = (topics: number): Reading => readingOf(parseFeed(Buffer.from(longFeed(topics))), clock.now());

async function topicsOf(showId: number): Promise<number> {
  const { rows } = await database.pool.query('SELECT count(*)::int4 AS n FROM topics WHERE show_id = $1', [
    showId,
  ]);
  return rows[0].n;
}

test('feeds that come together are saved together, each its own', async () => {
  const ids = await Promise.all(Array.from({ length: 60 }, (_, index) => newShow(index)));
  const saver = new FeedSaver({ pool: database.pool, clock });
  await Promise.all(ids.map((id, index) => saver.save(id, reading(1 + (index % 5)))));
  for (const [index, id] of ids.entries()) assert.equal(await topicsOf(id), 1 + (index % 5));
});

test('one that cannot be written does not keep the others from it', async () => {
  const ids = await Promise.all(Array.from({ length: 10 }, (_, index) => newShow(100 + index)));
  const saver = new FeedSaver({ pool: database.pool, clock });
  const broken = reading(2);
  broken.topics = broken.topics.replaceAll(/"title":"[^"]*"/g, `"title":"${'x'.repeat(501)}"`);
  const saved = await Promise.allSettled(
    ids.map((id, index) => saver.save(id, index === 4 ? broken : reading(2))),
  );
  assert.deepEqual(
    saved.map(({ status }) => status),
    ids.map((_, index) => (index === 4 ? 'rejected' : 'fulfilled')),
  );
  assert.deepEqual(
    await Promise.all(ids.map(topicsOf)),
    ids.map((_, index) => (index === 4 ? 0 : 2)),
  );
});
