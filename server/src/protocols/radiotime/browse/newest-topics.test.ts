import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type BrowseApp, browseApp, keysOf, linksOf } from '../../../../test/apps/browse-app.ts';

let browse: BrowseApp;
before(async () => {
  browse = await browseApp();
});
after(() => browse[Symbol.asyncDispose]());

const FOLK = 1310;
const NEWS = 2005;
const TALK = 2000;
const POP = 1005;

/** Title and show of each topic, in their order. */
const topicsOf = (body: string): string[] =>
  [...body.matchAll(/text="([^"]+)"[^>]* subtext="([^"]*)" item="topic"/g)].map(
    ([, title, show]) => `${title} / ${show}`,
  );

test('a genre’s shows lead to what came out last, before the link to more of them', async () => {
  const page = await browse.getSettled(`/Browse.ashx?id=g${FOLK}`);
  assert.deepEqual(keysOf(page).slice(-4), ['shows', 'recentTopics', 'nextShows', 'related']);
  const link = linksOf(page).find((path) => path.includes('topic')) ?? '';
  assert.deepEqual(topicsOf(await browse.get(link)), ['Topic 60 / Evening 1'], 'one topic of a show');
  const flat = await browse.get(`/Browse.ashx?id=g${FOLK}&filter=p`);
  assert.ok(linksOf(flat).includes(link), 'also where there is nothing but shows');
  assert.doesNotMatch(await browse.get(`/Browse.ashx?id=g${FOLK}&filter=p&offset=10`), /recentTopics/);
});

test('the newest come first, of finer genres too, and none of a show that is withdrawn', async () => {
  const news = ['The Bridge Opens / Morning Desk', 'Der Käfer im Laub / Tief im Wald'];
  assert.deepEqual(topicsOf(await browse.get(`/Browse.ashx?id=g${NEWS}&filter=p:topic`)), news);
  assert.deepEqual(topicsOf(await browse.get(`/Browse.ashx?id=g${TALK}&filter=topic`)), news);
  assert.deepEqual(topicsOf(await browse.get(`/Browse.ashx?id=g${NEWS}&filter=s:topic`)), []);
});

test('in a language there is what that language has', async () => {
  const german = [...browse.snapshot.languages].find(({ code }) => code === 'de');
  const body = await browse.get(`/Browse.ashx?id=g${TALK}&filter=p:topic:l${german?.id}`);
  assert.deepEqual(topicsOf(body), ['Der Käfer im Laub / Tief im Wald']);
});

test('a genre whose shows have no topics has no such link', async () => {
  const { pool } = browse.database;
  await pool.query(`INSERT INTO shows (title, genre_id) VALUES ('On air alone', ${POP})`);
  const page = await browse.getSettled(`/Browse.ashx?id=g${POP}`);
  assert.match(page, /text="On air alone"/);
  assert.doesNotMatch(page, /recentTopics/);
});

test('what belongs to the show follows it: genre, language, whether it is listed', async () => {
  const { pool } = browse.database;
  const kept = async (): Promise<unknown> => {
    const { rows } = await pool.query(
      'SELECT genre_id, language_id, listed FROM newest_topics WHERE show_id = 120',
    );
    return rows[0];
  };
  const asBefore = await kept();
  await pool.query(`UPDATE shows SET genre_id = ${POP}, language_id = NULL, listed = false WHERE id = 120`);
  assert.deepEqual(await kept(), { genre_id: POP, language_id: null, listed: false });
  const { rows } = await pool.query(
    `UPDATE shows SET genre_id = ${NEWS}, listed = true, language_id = (SELECT id FROM languages WHERE code = 'en')
     WHERE id = 120 RETURNING genre_id, language_id, listed`,
  );
  assert.deepEqual(await kept(), rows[0]);
  assert.deepEqual(rows[0], asBefore);
});

test('pages lead to the end of what is new, no topic twice', async () => {
  const { pool } = browse.database;
  const JAZZ = 1200;
  await pool.query(`
    INSERT INTO shows (id, title, genre_id) SELECT 5000 + n, 'Jazz ' || n, ${JAZZ} FROM generate_series(1, 620) n;
    INSERT INTO newest_topics (show_id, genre_id, listed, topic_id, title, stream_type, published_at, words)
    SELECT 5000 + n, ${JAZZ}, true, (n * 1024) + ((5000 + n) & 1023), 'Take ' || n, 'download',
      timestamptz '2026-03-01 00:00Z' - n / 2 * interval '1 hour', '' FROM generate_series(1, 620) n`);
  const seen: string[] = [];
  let link: string | undefined = `/Browse.ashx?id=g${JAZZ}&filter=p:topic`;
  while (link) {
    const body: string = await browse.get(link);
    seen.push(...topicsOf(body));
    link = linksOf(body).find((path) => path.includes('offset='));
  }
  assert.deepEqual(
    seen,
    Array.from({ length: 500 }, (_none, n) => `Take ${n + 1} / Jazz ${n + 1}`),
    'and there is an end to them',
  );
  assert.deepEqual(topicsOf(await browse.get(`/Browse.ashx?id=g${JAZZ}&filter=p:topic&offset=9999`)), []);
});

test('a page that the last topics fill leads to no other', async () => {
  const BLUES = 1265;
  await browse.database.pool.query(`
    INSERT INTO shows (id, title, genre_id) SELECT 7000 + n, 'Full ' || n, ${BLUES} FROM generate_series(1, 50) n;
    DELETE FROM newest_topics WHERE genre_id = ${BLUES};
    INSERT INTO newest_topics (show_id, genre_id, listed, topic_id, title, stream_type, published_at, words)
    SELECT 7000 + n, ${BLUES}, true, ((3000 + n) * 1024) + ((7000 + n) & 1023), 'Take ' || n, 'download',
      timestamptz '2026-03-01 00:00Z' - n * interval '1 hour', '' FROM generate_series(1, 50) n`);
  const body = await browse.get(`/Browse.ashx?id=g${BLUES}&filter=p:topic`);
  assert.equal(topicsOf(body).length, 50);
  assert.doesNotMatch(body, /nextTopics/);
});
