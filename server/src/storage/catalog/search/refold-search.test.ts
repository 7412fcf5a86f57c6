import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { seededDirectory, type SeededDirectory } from '../../../../test/content/seeded-directory.ts';
import { findItems } from '../../../core/search/find.ts';
import { questionWords } from '../../../core/search/question.ts';
import { transaction } from '../../db/transaction.ts';
import { listNewestTopicsByWords } from '../shows/newest-topics.ts';
import { markRefolded } from './refold-search.ts';
import { refreshSearch } from './refresh-search.ts';
import { addShow } from '../../../../test/database/catalogue/add-show.ts';

let seeded: SeededDirectory;
before(async () => {
  seeded = await seededDirectory();
});
after(() => seeded[Symbol.asyncDispose]());

/** Returns how many were marked. */
const refold = (): Promise<number> =>
  transaction(seeded.database.pool, async (client) => {
    await markRefolded(client);
    const { rows } = await client.query('SELECT count(*)::int AS count FROM search_stale');
    await refreshSearch(client);
    return rows[0].count;
  });

const showsNamed = async (text: string): Promise<number[]> => {
  const question = { words: questionWords(text), fields: [] };
  return (await findItems(seeded.database.pool, 'p', question, 10)).shows.map(({ id }) => id);
};

const topicsNamed = async (word: string): Promise<number[]> => {
  const query = { typed: `'${word}'`, whole: `'${word}'` };
  const found = await listNewestTopicsByWords(seeded.database.pool, query, { limit: 9 });
  return found.map(({ show_id: id }) => id);
};

test('what was indexed without the marks of its script is found by its name after an upgrade', async () => {
  const { pool } = seeded.database;
  const [heart, lentils] = [await addShow(pool, { title: 'दिल' }), await addShow(pool, { title: 'दाल' })];
  await addShow(pool, { title: 'Plain Words' });
  await pool.query(
    `INSERT INTO newest_topics (show_id, listed, topic_id, title, stream_type, published_at, words)
     VALUES ($1, true, 1, 'एक', 'download', now(), $$'दल' 'एक'$$)`,
    [heart],
  );
  await pool.query(
    `UPDATE search_documents SET name_key = 'दल', words = $$'दल':1A$$ WHERE kind = 'p' AND item_id = ANY ($1)`,
    [[heart, lentils]],
  );
  assert.deepEqual(await topicsNamed('दिल'), []);

  const marked = await refold();
  assert.ok(marked >= 2 && marked < 30, `${marked} marked`);
  assert.deepEqual(await showsNamed('दिल'), [heart]);
  assert.deepEqual(await showsNamed('दाल'), [lentils]);
  assert.deepEqual(await topicsNamed('दिल'), [heart]);
  assert.equal(await refold(), 0, 'once is enough');
});

test('several processes that start at once do it once', async () => {
  await seeded.database.pool.query('COMMENT ON TABLE search_documents IS NULL');
  const marked = await Promise.all([refold(), refold(), refold()]);
  assert.equal(marked.filter((count) => count > 0).length, 1, String(marked));
});
