import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../../test/database/database.ts';
import {
  findShow,
  idsOfGenresWithShows,
  listShows,
  listShowsOfGenre,
  listShowsOfGenres,
  listShowsOfLanguage,
} from './shows.ts';
import { addShow } from '../../../../test/database/catalogue/add-show.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
  await database.pool.query(
    "INSERT INTO genres (id, slug, name, position) VALUES (1, 'a', 'A', 1), (2, 'b', 'B', 2)",
  );
});
after(() => database[Symbol.asyncDispose]());

test('a show is added once for its feed and found by its id', async () => {
  const { pool } = database;
  const feed = { address: 'https://feed.example/', key: '00000000-0000-0000-0000-000000000001' };
  const id = await addShow(pool, { title: 'Late Show', hosts: 'Ann', feed, genreId: 2 });
  assert.ok(id);
  assert.deepEqual(await findShow(pool, id), {
    id,
    title: 'Late Show',
    hosts: 'Ann',
    description: null,
    homepage: null,
    language_id: null,
    genre_id: 2,
    country_id: null,
    popularity: 0,
    listed: true,
    formats: 0,
  });
  assert.equal(await addShow(pool, { title: 'Late Show again', feed }), undefined);
  assert.ok(await addShow(pool, { title: 'No feed' }));
  assert.ok(await addShow(pool, { title: 'No feed' }));
  assert.equal(await findShow(pool, Number.MAX_SAFE_INTEGER), undefined);
});

test('shows of a genre are paged by popularity without a gap or a repetition', async () => {
  const { pool } = database;
  for (let n = 0; n < 25; n += 1) await addShow(pool, { title: `Show ${n}`, genreId: 1, popularity: n % 5 });
  await pool.query("UPDATE shows SET listed = false WHERE title = 'Show 24'");
  const pages = [];
  for (const offset of [0, 10, 20, 30]) pages.push(await listShowsOfGenre(pool, 1, { offset, limit: 10 }));
  assert.deepEqual(
    pages.map((page) => page.length),
    [10, 10, 4, 0],
  );
  const shows = pages.flat();
  assert.equal(new Set(shows.map(({ id }) => id)).size, 24);
  const best = shows.toSorted((a, b) => b.popularity - a.popularity || a.id - b.id);
  assert.deepEqual(shows, best);
});

const ids = (shows: readonly { id: number }[]): number[] => shows.map(({ id }) => id);

test('shows of several genres, in one language or in all, come in one order', async () => {
  const { pool } = database;
  await pool.query("INSERT INTO languages (id, code, name) VALUES (5, 'de', 'German'), (6, 'en', 'English')");
  await pool.query("INSERT INTO genres (id, slug, name, position) VALUES (3, 'c', 'C', 3), (4, 'd', 'D', 4)");
  for (let n = 0; n < 30; n += 1) {
    const [genreId, languageId] = [3 + (n % 2), 5 + (n % 3 === 0 ? 1 : 0)];
    await addShow(pool, { title: `Several ${n}`, genreId, languageId, popularity: (n * 7) % 11 });
  }
  const { rows } = await pool.query(
    'SELECT id, language_id, genre_id FROM shows WHERE genre_id IN (3, 4) AND listed ORDER BY popularity DESC, id',
  );
  const page = { offset: 4, limit: 7 };
  assert.deepEqual(ids(await listShowsOfGenres(pool, [3, 4, 99], page)), ids(rows).slice(4, 11));
  const english = rows.filter((row) => row.language_id === 6);
  assert.deepEqual(ids(await listShowsOfGenres(pool, [3, 4], page, 6)), ids(english).slice(4, 11));
  assert.deepEqual(ids(await listShowsOfLanguage(pool, 6, page)), ids(english).slice(4, 11));
  assert.deepEqual(await listShowsOfGenres(pool, [], page), []);
  const two = ids(rows).slice(0, 2);
  assert.deepEqual(new Set(ids(await listShows(pool, [...two, 999_999]))), new Set(two));
});

test('a genre has shows when one of its own is listed', async () => {
  const { pool } = database;
  assert.deepEqual(await idsOfGenresWithShows(pool), [1, 2, 3, 4]);
  await pool.query('UPDATE shows SET listed = false WHERE genre_id = 4');
  assert.deepEqual(await idsOfGenresWithShows(pool), [1, 2, 3]);
});
