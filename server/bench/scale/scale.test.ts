import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listNewestTopicsOfGenres } from '../../src/storage/catalog/shows/newest-topics.ts';
import { findShow } from '../../src/storage/catalog/shows/shows.ts';
import { listTopicsOfShow } from '../../src/storage/catalog/shows/topics.ts';
import { ensureGenres } from '../../src/storage/catalog/stations/station-groups.ts';
import { transaction } from '../../src/storage/db/transaction.ts';
import { type TestDatabase, testDatabaseWithPlaces } from '../../test/database/database.ts';
import type { ScaleDatabase } from './database.ts';
import { load } from './load.ts';
import { readProgress } from './progress.ts';
import { openSide } from './side.ts';
import { topicCounter } from './world.ts';

const WORLD = { shows: 120, topics: 2400 };
const BATCH = 25;
const databases: TestDatabase[] = [];
let [stopped, whole]: ScaleDatabase[] = [];

before(async () => {
  stopped = await emptyDatabase('stopped');
  whole = await emptyDatabase('whole');
});
after(() => Promise.all(databases.map((database) => database[Symbol.asyncDispose]())));

async function emptyDatabase(name: string): Promise<ScaleDatabase> {
  const database = await testDatabaseWithPlaces();
  databases.push(database);
  await transaction(database.pool, ensureGenres);
  return { ...database, name, world: WORLD };
}

const given = (database: ScaleDatabase | undefined): ScaleDatabase => database ?? assert.fail('no database');

/** Everything that was loaded, as one text; feeds without the times, which are of the hour. */
async function contentOf({ pool }: ScaleDatabase): Promise<unknown> {
  const { rows } = await pool.query(`SELECT
    (SELECT md5(string_agg(t::text, '|' ORDER BY show_id, id)) FROM topics t) AS topics,
    (SELECT md5(string_agg(n::text, '|' ORDER BY show_id)) FROM newest_topics n) AS newest,
    (SELECT md5(string_agg(concat(id, title, hosts, genre_id, feed_key), '|' ORDER BY id)) FROM shows) AS shows,
    (SELECT md5(string_agg(concat(item_id, words), '|' ORDER BY item_id)) FROM search_documents) AS documents,
    (SELECT count(*) FROM feeds) AS feeds, (SELECT last_value FROM topic_serials) AS serial`);
  return rows[0];
}

test('a loading that is stopped goes on where it was, and comes to the same', async () => {
  const batches: string[] = [];
  const stopAfterTwo = (text: string): void => {
    batches.push(text);
    if (batches.length === 2) throw new Error('stopped');
  };
  await assert.rejects(load(given(stopped), stopAfterTwo, BATCH), /stopped/);
  assert.equal((await readProgress(given(stopped))).shows, 2 * BATCH);
  await load(given(stopped), () => undefined, BATCH);
  await load(given(whole), () => undefined, WORLD.shows);
  const topicsOf = topicCounter(WORLD);
  const expected = Array.from({ length: WORLD.shows }, (_, n) => topicsOf(n + 1)).reduce((a, b) => a + b);
  const { shows, topics, isTidy } = await readProgress(given(whole));
  assert.deepEqual({ shows, topics, isTidy }, { shows: WORLD.shows, topics: expected, isTidy: true });
  const { rows } = await given(whole).pool.query('SELECT count(*) AS count FROM topics');
  assert.equal(rows[0].count, expected);
  assert.deepEqual(await contentOf(given(stopped)), await contentOf(given(whole)));
});

test('a database for a world of another size is not loaded into', async () => {
  const other = { ...given(whole), world: { shows: 1, topics: 20 } };
  await assert.rejects(
    load(other, () => undefined),
    /whole is for 120 shows and 2400 topics; .*--name.*--remove/,
  );
});

test('topics lie on disk show by show, a dozen on a page', async () => {
  const { rows } = await given(whole).pool.query(`SELECT show_id, count(*) AS topics,
      count(DISTINCT (ctid::text::point)[0]) AS pages FROM topics GROUP BY show_id HAVING count(*) >= 50`);
  assert.ok(rows.length > 0);
  for (const { show_id, topics, pages } of rows)
    assert.ok(pages <= topics / 6, `${topics} topics of show ${show_id} are on ${pages} pages`);
});

test('the product reads what was loaded', async () => {
  const { pool } = given(whole);
  await using side = await openSide(given(whole));
  const id = 7;
  const topics = await listTopicsOfShow(pool, id, { limit: 3000 });
  assert.equal(topics.length, topicCounter(WORLD)(id));
  const show = (await findShow(pool, id)) ?? assert.fail();
  const newest = await listNewestTopicsOfGenres(pool, [show.genre_id ?? 0], {
    offset: 0,
    limit: WORLD.shows,
  });
  assert.equal(newest.find((topic) => topic.show_id === id)?.id, topics[0]?.id);
  assert.ok((await side.search(show.title, 'p')) > 0);
});

test('many shows have a few topics, some have two thousand, and all have what was asked for', () => {
  const world = { shows: 100_000, topics: 2_000_000 };
  const topicsOf = topicCounter(world);
  const counts = Array.from({ length: world.shows }, (_, n) => topicsOf(n + 1)).toSorted((a, b) => a - b);
  const sum = counts.reduce((all, count) => all + count, 0);
  assert.ok(Math.abs(sum - world.topics) < world.topics * 0.01, `${sum} topics`);
  assert.deepEqual([counts.at(-1), (counts[50_000] ?? 0) < 12, (counts[0] ?? 0) > 0], [2000, true, true]);
});
