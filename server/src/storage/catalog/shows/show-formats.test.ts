import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type TestDatabase, testDatabase } from '../../../../test/database/database.ts';
import { STREAM_FORMATS, type StreamFormat, formatBit, parseFormats } from '../../../lib/stream-format.ts';
import { listNewestTopicsByWords, listNewestTopicsOfGenres } from './newest-topics.ts';
import {
  findShow,
  idsOfGenresWithShows,
  idsOfGenresWithShowsIn,
  idsOfLanguagesWithShows,
  listShowsOfGenres,
  listShowsOfLanguage,
} from './shows.ts';
import { listTopicsOfShow } from './topics.ts';
import { addTopic } from '../../../../test/database/catalogue/add-show.ts';

const SHOWS = 60;
/** Every third show has Ogg alone, the others MP3. */
const formatOf = (id: number): StreamFormat => (id % 3 === 0 ? 'ogg' : 'mp3');

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
  const { pool } = database;
  await pool.query(`
    INSERT INTO genres (id, slug, name, position) VALUES (1, 'music', 'Music', 1), (2, 'talk', 'Talk', 2), (3, 'news', 'News', 3);
    INSERT INTO languages (id, code, name) VALUES (5, 'de', 'German'), (6, 'en', 'English');
    INSERT INTO shows (id, title, genre_id, language_id, popularity)
      SELECT n, 'Tides ' || n, 1 + n % 2, 5, 1000 - n FROM generate_series(1, ${SHOWS}) n;
    INSERT INTO shows (id, title, genre_id, language_id) VALUES (100, 'Unread', 3, 6)`);
  for (let id = 1; id <= SHOWS; id += 1) await add(id, formatOf(id), id);
});
after(() => database[Symbol.asyncDispose]());

let topics = 0;
const add = async (
  showId: number,
  format: StreamFormat | undefined,
  minute: number,
): Promise<number | undefined> =>
  addTopic(database.pool, {
    showId,
    key: `00000000-0000-4000-8000-${String((topics += 1)).padStart(12, '0')}`,
    title: `Harbour ${topics}`,
    address: `http://topics.example.net/${topics}`,
    publishedAt: Temporal.Instant.from('2026-01-01T00:00:00Z').add({ minutes: minute }),
    ...(format && { format }),
  });

const idsOf = (rows: readonly { id: number }[]): number[] => rows.map(({ id }) => id);
const formatsOfShow = async (id: number): Promise<number | undefined> =>
  (await findShow(database.pool, id))?.formats;
const playing = (format: StreamFormat): number[] =>
  Array.from({ length: SHOWS }, (_, n) => n + 1).filter((id) => formatOf(id) === format);

test('the database counts formats as the service does', async () => {
  const asked =
    'SELECT format_bit(format) AS bit FROM unnest($1::text[]) WITH ORDINALITY AS f (format, n) ORDER BY n';
  const { rows } = await database.pool.query<{ bit: number }>(asked, [STREAM_FORMATS]);
  assert.deepEqual(
    rows.map(({ bit }) => bit),
    STREAM_FORMATS.map(formatBit),
  );
});

test('pages of shows that can be played are full, and no show is on two of them', async () => {
  const { pool } = database;
  for (const format of ['mp3', 'ogg'] as const) {
    const lists = [
      (range: { offset: number; limit: number; formats: number }) => listShowsOfGenres(pool, [1, 2], range),
      (range: { offset: number; limit: number; formats: number }) =>
        listShowsOfGenres(pool, [1, 2], range, 5),
      (range: { offset: number; limit: number; formats: number }) => listShowsOfLanguage(pool, 5, range),
    ];
    for (const list of lists) {
      const seen: number[] = [];
      for (let offset = 0; offset < SHOWS; offset += 7) {
        const page = await list({ offset, limit: 7, formats: parseFormats(format) });
        assert.equal(page.length, Math.max(0, Math.min(7, playing(format).length - offset)));
        seen.push(...idsOf(page));
      }
      assert.deepEqual(seen, playing(format));
    }
  }
  const all = await listShowsOfGenres(pool, [1, 2], { offset: 0, limit: 100, formats: parseFormats('') });
  assert.equal(all.length, SHOWS);
});

test('genres and languages of which nothing can be played are not told', async () => {
  const { pool } = database;
  const [wma, ogg] = [parseFormats('wma'), parseFormats('ogg,wma')];
  assert.deepEqual(await idsOfGenresWithShows(pool), [1, 2, 3]);
  assert.deepEqual(await idsOfGenresWithShows(pool, ogg), [1, 2]);
  assert.deepEqual(await idsOfGenresWithShows(pool, wma), []);
  assert.deepEqual(await idsOfGenresWithShowsIn(pool, 5), [1, 2]);
  assert.deepEqual(await idsOfGenresWithShowsIn(pool, 6), [3]);
  assert.deepEqual(await idsOfGenresWithShowsIn(pool, 5, ogg), [1, 2]);
  assert.deepEqual(await idsOfGenresWithShowsIn(pool, 6, ogg), []);
  assert.deepEqual(await idsOfLanguagesWithShows(pool), [5, 6]);
  assert.deepEqual(await idsOfLanguagesWithShows(pool, ogg), [5]);
});

test('the newest topics are those that can be played, by genre and by words', async () => {
  const { pool } = database;
  const formats = parseFormats('ogg');
  const newest = await listNewestTopicsOfGenres(pool, [1, 2], { offset: 2, limit: 5, formats });
  const wanted = playing('ogg').toReversed();
  assert.deepEqual(
    newest.map((row) => row.show_id),
    wanted.slice(2, 7),
  );
  const words = { typed: "'harbour'", whole: "'harbour'" };
  const found = await listNewestTopicsByWords(pool, words, { limit: 4, formats });
  assert.deepEqual(
    found.map((row) => row.show_id),
    wanted.slice(0, 4),
  );
  assert.equal((await listNewestTopicsByWords(pool, words, { limit: 4 })).length, 4);
});

test('a show has the formats of all its topics; one that a feed gives none for is MP3', async () => {
  assert.equal(await formatsOfShow(100), 0);
  await add(100, 'ogg', 0);
  assert.equal(await formatsOfShow(100), formatBit('ogg'));
  await add(100, 'opus', 1);
  assert.equal(await formatsOfShow(100), formatBit('ogg') | formatBit('opus'));
  await add(100, undefined, 2);
  assert.equal(await formatsOfShow(100), parseFormats('ogg,opus,mp3'));
  await database.pool.query("UPDATE topics SET format = 'flac' WHERE show_id = 100 AND format IS NULL");
  assert.equal(await formatsOfShow(100), parseFormats('ogg,opus,mp3,flac'));
  const listed = (formats: string) =>
    listTopicsOfShow(database.pool, 100, { limit: 10, formats: parseFormats(formats) });
  assert.deepEqual(
    (await listed('ogg,flac')).map(({ format }) => format),
    ['flac', 'ogg'],
  );
  assert.equal((await listed('')).length, 3);
});

test('a show that is only on air has the formats of its stations, as they were measured', async () => {
  const { pool } = database;
  await pool.query(`
    INSERT INTO shows (id, title) VALUES (200, 'Morning Desk');
    INSERT INTO stations (id, name, name_key) VALUES (1, 'Town FM', 'town fm');
    INSERT INTO streams (id, station_id, address, address_key, format) VALUES
      (1, 1, 'http://a.example/1', '00000000-0000-0000-0000-000000000001', 'mp3'),
      (2, 1, 'http://a.example/2', '00000000-0000-0000-0000-000000000002', 'ogg');
    INSERT INTO stream_checks (stream_id, host, next_due_at, format) VALUES (2, 'a.example', now(), 'opus');
    INSERT INTO broadcasts (station_id, starts_at, ends_at, show_id) VALUES (1, now(), now() + interval '1 hour', 200)`);
  assert.equal(await formatsOfShow(200), parseFormats('mp3,opus'));
});
