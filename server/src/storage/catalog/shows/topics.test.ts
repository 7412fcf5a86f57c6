import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../../test/database/database.ts';
import { shardInId, shardOf } from '../../../lib/ids.ts';
import { newestOfEach, type NewestTopic } from './newest-topics.ts';
import { findTopic, type ListedTopicRow, listTopicsOfShow } from './topics.ts';
import { addTopic, type NewTopic } from '../../../../test/database/catalogue/add-show.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database[Symbol.asyncDispose]());

const START = Temporal.Instant.from('2026-01-01T00:00:00Z');
const keyOf = (n: number): string => String(n).padStart(32, '0');
const topic = (showId: number, n: number, publishedAt = START): NewTopic => ({
  showId,
  key: keyOf(n),
  title: `Topic ${n}`,
  address: `http://topic.example/${n}`,
  publishedAt,
});

test('a topic is found by its id alone, on whatever shard its show is', async () => {
  const { pool } = database;
  for (const showId of [1, 63, 64, 1023, 1024, 5_000_000, 2 ** 40 + 7]) {
    const id = await addTopic(pool, { ...topic(showId, 1), description: 'About', durationSeconds: 60 });
    assert.ok(id);
    assert.equal(shardInId(id), shardOf(showId));
    const found = await findTopic(pool, id);
    assert.deepEqual([found?.show_id, found?.description, found?.duration_seconds], [showId, 'About', 60]);
    assert.equal(found?.published_at.toString(), START.toString());
    assert.equal(await findTopic(pool, id + 1), undefined);
  }
  for (const id of [0, Number.MAX_SAFE_INTEGER]) assert.equal(await findTopic(pool, id), undefined);
});

test('a topic that the show has already is left alone and draws no number', async () => {
  const { pool } = database;
  const first = await addTopic(pool, topic(300, 1));
  for (let again = 0; again < 5; again += 1) assert.equal(await addTopic(pool, topic(300, 1)), undefined);
  const second = await addTopic(pool, topic(300, 2));
  assert.ok(first && second);
  assert.equal(second - first, 1024);
});

test('readers of one feed at the same time add each topic once', async () => {
  const { pool } = database;
  const added = await Promise.all(Array.from({ length: 8 }, () => addTopic(pool, topic(301, 1))));
  assert.equal(added.filter((id) => id !== undefined).length, 1);
  assert.equal((await listTopicsOfShow(pool, 301)).length, 1);
});

async function readPages(showId: number, limit: number): Promise<ListedTopicRow[]> {
  const all: ListedTopicRow[] = [];
  for (;;) {
    const last = all.at(-1);
    const page = await listTopicsOfShow(database.pool, showId, { ...(last && { after: last }), limit });
    all.push(...page);
    if (page.length < limit) return all;
  }
}

test('pages of topics have no gap and no repetition, also where instants are equal or microseconds apart', async () => {
  const { pool } = database;
  for (let n = 0; n < 60; n += 1) {
    const microseconds = n < 20 ? 0 : n < 40 ? n : n * 3_600_000_000;
    await addTopic(pool, topic(302, n, START.add({ microseconds })));
  }
  await addTopic(pool, topic(302 + 1024, 1));
  const topics = await readPages(302, 7);
  assert.equal(new Set(topics.map(({ id }) => id)).size, 60);
  const newest = topics.toSorted(
    (a, b) => Temporal.Instant.compare(b.published_at, a.published_at) || b.id - a.id,
  );
  assert.deepEqual(
    topics.map(({ id }) => id),
    newest.map(({ id }) => id),
  );
  assert.equal((await listTopicsOfShow(pool, 302)).length, 50, 'a page is fifty unless told');
  assert.deepEqual(await listTopicsOfShow(pool, Number.MAX_SAFE_INTEGER), []);
});

const publishedIn = (second: number, id: number): NewestTopic => ({
  id,
  show_id: 1,
  title: `Topic ${id}`,
  published_at: Temporal.Instant.fromEpochMilliseconds(second * 1000),
  duration_seconds: null,
});

test('of two topics of one second the one with the higher id is the newest, whichever comes first', () => {
  const table: [topics: NewestTopic[], newest: number][] = [
    [[publishedIn(5, 7), publishedIn(5, 8)], 8],
    [[publishedIn(5, 8), publishedIn(5, 7)], 8],
    [[publishedIn(4, 9), publishedIn(5, 7)], 7],
  ];
  for (const [topics, newest] of table) assert.equal(newestOfEach(topics)[0]?.id, newest);
});
