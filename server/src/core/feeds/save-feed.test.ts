import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Pool } from 'pg';
import { type TestDatabase, testDatabaseWithPlaces } from '../../../test/database/database.ts';
import { ATOM, longFeed, MEDIA, RSS } from '../../../test/content/feed-samples.ts';
import type { Feed, FeedItem } from '../../formats/feed/feed.ts';
import { parseFeed } from '../../formats/feed/parse-feed.ts';
import { uuidOf } from '../../lib/ids.ts';
import { findShow } from '../../storage/catalog/shows/shows.ts';
import { ensureGenres } from '../../storage/catalog/stations/station-groups.ts';
import { createPool } from '../../storage/db/pool.ts';
import { transaction } from '../../storage/db/transaction.ts';
import { saveFeed } from './save-feed.ts';
import { addShow } from '../../../test/database/catalogue/add-show.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabaseWithPlaces();
  await transaction(database.pool, ensureGenres);
});
after(() => database[Symbol.asyncDispose]());

const NOW = Temporal.Instant.from('2026-06-01T12:00:00Z');
const read = (text: string): Feed => parseFeed(Buffer.from(text), 'https://cdn.radio-haven.net/f.xml');
let feeds = 0;
async function newShow(): Promise<number> {
  const address = `https://feeds.radio-haven.net/${(feeds += 1)}`;
  const id = await addShow(database.pool, { title: 'Unread', feed: { address, key: uuidOf(address) } });
  assert.ok(id);
  return id;
}
const save = (showId: number, feed: Feed, now = NOW) => saveFeed(database.pool, showId, feed, now);

interface Kept {
  id: number;
  title: string;
  address: string;
  published_at: Temporal.Instant;
  place: string;
}
async function topicsOf(showId: number): Promise<Kept[]> {
  const { rows } = await database.pool.query<Kept>(
    'SELECT id, title, address, published_at, ctid::text AS place FROM topics WHERE show_id = $1 ORDER BY id',
    [showId],
  );
  return rows;
}

/** Rows that were written so far, as PostgreSQL counts them; all was written by the one connection of this pool. */
async function rowsWritten(pool: Pool): Promise<number> {
  await pool.query('SELECT pg_stat_force_next_flush()');
  const { rows } = await pool.query<{ count: number }>(
    'SELECT sum(n_tup_ins + n_tup_upd + n_tup_del)::int8 AS count FROM pg_stat_user_tables',
  );
  return rows[0]?.count ?? 0;
}

test('a feed becomes a show and topics', async () => {
  const showId = await newShow();
  const saved = await save(showId, read(RSS));
  assert.deepEqual(saved, { isNew: true, topicsAdded: 2, topicsChanged: 0, showChanged: true });
  const { rows } = await database.pool.query(
    `SELECT s.title, s.hosts, s.description, s.homepage, l.code, g.slug, i.address AS image
     FROM shows s JOIN languages l ON l.id = language_id JOIN genres g ON g.id = genre_id
     JOIN images i ON i.kind = 'p' AND i.item_id = s.id WHERE s.id = $1`,
    [showId],
  );
  assert.deepEqual(rows, [
    {
      title: 'Harbour & Hinterland',
      hosts: 'Niamh Quay',
      description: 'Stories from the quay.\n\nEvery week.',
      homepage: 'https://harbour.radio-haven.net/',
      code: 'en',
      slug: 'soccer',
      image: 'https://harbour.radio-haven.net/cover.jpg',
    },
  ]);
  const topics = await database.pool.query(
    'SELECT title, address, format, duration_seconds, published_at::text AS at FROM topics WHERE show_id = $1 ORDER BY id',
    [showId],
  );
  assert.deepEqual(
    topics.rows.map((row) => Object.values(row)),
    [
      ['1: Low water', 'https://cdn.radio-haven.net/harbour/1.m4a', 'aac', 754, '2024-02-27 08:00:00+00'],
      [
        '2: The lighthouse',
        'https://cdn.radio-haven.net/harbour/2.mp3?a=1&b=2',
        'mp3',
        3723,
        '2024-03-05 07:00:00+00',
      ],
    ],
  );
});

test('the same feed again writes no row', async () => {
  const showId = await newShow();
  const pool = createPool({
    databaseUrl: database.url,
    size: 1,
    applicationName: 'test',
    statementTimeoutMs: 60_000,
  });
  const start = await rowsWritten(pool);
  assert.equal((await saveFeed(pool, showId, read(longFeed(1200)), NOW)).topicsAdded, 1200);
  const first = await rowsWritten(pool);
  assert.ok(first >= start + 1200, 'the counter counts');
  const again = await saveFeed(pool, showId, read(longFeed(1200)), NOW.add({ hours: 1 }));
  assert.deepEqual(again, { isNew: false, topicsAdded: 0, topicsChanged: 0, showChanged: false });
  assert.equal(await rowsWritten(pool), first);
  await pool.end();
});

test('of a feed that grew by one topic only that one is written', async () => {
  const showId = await newShow();
  await save(showId, read(longFeed(600)));
  const known = await topicsOf(showId);
  const longer = read(longFeed(600));
  longer.items.unshift({
    guid: 'tide-601',
    title: 'New',
    address: 'https://cdn.radio-haven.net/tide/601.mp3',
  });
  const saved = await save(showId, longer);
  assert.deepEqual([saved.topicsAdded, saved.topicsChanged], [1, 0]);
  assert.deepEqual((await topicsOf(showId)).slice(0, 600), known, 'the others were not even touched');
});

const item = (n: number, more: Partial<FeedItem> = {}): FeedItem => ({
  guid: `g${n}`,
  title: `Topic ${n}`,
  address: `https://cdn.radio-haven.net/${n}.mp3`,
  type: 'audio/mpeg',
  published: Temporal.Instant.from(`2026-01-0${n}T00:00:00Z`),
  ...more,
});
const feedOf = (...items: FeedItem[]): Feed => ({
  title: 'Show',
  hosts: [],
  categories: [],
  blocked: false,
  items,
});

test('a topic keeps its id through new titles, new addresses and new identifiers', async () => {
  const showId = await newShow();
  await save(showId, feedOf(item(2), item(1)));
  const ids = (await topicsOf(showId)).map(({ id }) => id);
  const moved = feedOf(
    item(2, { title: 'Renamed', address: 'https://other.radio-haven.net/2.mp3' }),
    item(1, { guid: 'https://new-maker.example/1' }),
  );
  const saved = await save(showId, moved);
  assert.deepEqual([saved.topicsAdded, saved.topicsChanged], [0, 2]);
  const topics = await topicsOf(showId);
  assert.deepEqual(
    topics.map(({ id }) => id),
    ids,
  );
  assert.deepEqual(
    topics.map(({ title }) => title),
    ['Topic 1', 'Renamed'],
  );
  assert.equal((await save(showId, moved)).isNew, false);
  assert.equal((await save(showId, feedOf(item(1)))).topicsAdded, 0, 'and back again');
  assert.deepEqual(
    (await topicsOf(showId)).map(({ id }) => id),
    ids,
  );
});

test('two topics with one sound stay two while the feed tells both', async () => {
  const showId = await newShow();
  await save(showId, feedOf(item(1)));
  const [first] = await topicsOf(showId);
  await save(showId, feedOf(item(1, { guid: 'repeat', title: 'Again' }), item(1)));
  const topics = await topicsOf(showId);
  assert.equal(topics.length, 2);
  assert.equal(topics.find(({ title }) => title === 'Topic 1')?.id, first?.id);
});

test('without an identifier the address is one; a topic told twice is one', async () => {
  const showId = await newShow();
  const { guid: _guid, ...nameless } = item(1);
  assert.equal((await save(showId, feedOf(nameless, nameless, item(2)))).topicsAdded, 2);
  assert.equal((await save(showId, feedOf(nameless, item(2), item(3)))).topicsAdded, 1);
});

test('a topic that the feed no longer tells stays', async () => {
  const showId = await newShow();
  await save(showId, feedOf(item(2), item(1)));
  await save(showId, feedOf(item(3), item(2)));
  assert.deepEqual(
    (await topicsOf(showId)).map(({ title }) => title),
    ['Topic 1', 'Topic 2', 'Topic 3'],
  );
});

test('no date, or one to come, is the time of the first sight, in the order of the feed, and stays it', async () => {
  const showId = await newShow();
  const future = Temporal.Instant.from('2031-01-01T00:00:00Z');
  const { published: _published, ...undated } = item(1);
  await save(showId, feedOf(item(2, { published: future }), undated));
  const times = async (): Promise<string[]> =>
    (await topicsOf(showId)).map((topic) => topic.published_at.toString());
  assert.deepEqual(await times(), ['2026-06-01T11:59:59Z', '2026-06-01T12:00:00Z']);
  const later = feedOf(item(2, { published: future, title: 'Other' }), undated);
  assert.equal((await save(showId, later, NOW.add({ hours: 48 }))).topicsChanged, 1);
  assert.deepEqual(await times(), ['2026-06-01T11:59:59Z', '2026-06-01T12:00:00Z']);
});

test('what is no sound, or not for everyone, is no topic', async () => {
  const showId = await newShow();
  const { address: _address, ...article } = item(1);
  const saved = await save(
    showId,
    feedOf(
      article,
      item(2, { type: 'video/mp4' }),
      item(3, { address: 'http://192.168.1.5/3.mp3' }),
      item(4, { address: 'http://[::1]/4.mp3' }),
      item(5, { type: 'application/octet-stream' }),
    ),
  );
  assert.equal(saved.topicsAdded, 1);
});

test('what an operator pinned stays; the rest is told by the feed', async () => {
  const showId = await newShow();
  await database.pool.query("UPDATE shows SET title = 'By hand', pinned = '{title,listed}' WHERE id = $1", [
    showId,
  ]);
  await save(showId, { ...read(MEDIA), description: 'From the feed' });
  const show = await findShow(database.pool, showId);
  assert.deepEqual([show?.title, show?.description, show?.listed], ['By hand', 'From the feed', true]);
});

test('a feed that asks not to be listed is not, until it asks no more; it is found by its words only while it is', async () => {
  const showId = await newShow();
  const found = async (): Promise<number> =>
    (await database.pool.query("SELECT FROM search_documents WHERE kind = 'p' AND item_id = $1", [showId]))
      .rowCount ?? 0;
  await save(showId, { ...read(ATOM), blocked: true });
  assert.equal((await findShow(database.pool, showId))?.listed, false);
  assert.equal(await found(), 0);
  await save(showId, read(ATOM));
  assert.equal((await findShow(database.pool, showId))?.listed, true);
  assert.equal(await found(), 1);
});

test('of readers of one feed at the same time one writes, and the others see that it did', async () => {
  const showId = await newShow();
  for (const topics of [300, 301]) {
    const saved = await Promise.all(Array.from({ length: 6 }, () => save(showId, read(longFeed(topics)))));
    assert.equal(saved.filter(({ isNew }) => isNew).length, 1);
    assert.equal((await topicsOf(showId)).length, topics);
  }
});
