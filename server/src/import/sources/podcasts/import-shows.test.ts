import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type TestDatabase, testDatabaseWithPlaces } from '../../../../test/database/database.ts';
import { importShows, type ShowsSummary, writeShowsSummary } from './import-shows.ts';
import { type ListItem, openShowList } from './read-shows.ts';
import { catalogueVersion } from '../../../../test/database/catalogue/edit-catalogue.ts';

const folder = mkdtempSync(join(tmpdir(), 'longwave-podcasts-'));
let database: TestDatabase;
before(async () => {
  database = await testDatabaseWithPlaces();
});
after(async () => {
  await database[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}
const importFile = (path: string): Promise<ShowsSummary> =>
  importShows({ pool: database.pool, source: 'test', items: openShowList(path).items });
const counts = ({ read, added, changed, unchanged, refused }: ShowsSummary) => ({
  read,
  added,
  changed,
  unchanged,
  refused: [...refused.values()].reduce((sum, count) => sum + count, 0),
});

async function showsLike(host: string): Promise<Record<string, unknown>[]> {
  const { rows } = await database.pool.query(
    `SELECT s.title, s.hosts, s.description, s.homepage, s.feed_address AS feed, l.code AS language, g.slug AS genre,
       s.popularity, i.address AS image
     FROM shows s JOIN feeds f ON f.show_id = s.id LEFT JOIN languages l ON l.id = language_id
     LEFT JOIN genres g ON g.id = genre_id LEFT JOIN images i ON i.kind = 'p' AND i.item_id = s.id
     WHERE s.feed_address LIKE $1 ORDER BY s.id`,
    [`%//${host}/%`],
  );
  return rows.map((row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)));
}

const OPML = `<opml version="2.0"><head/><body><outline text="Technology">
  <outline type="rss" text="Sea &amp; Salt" xmlUrl="https://opml.radio-haven.net/salt" htmlUrl="https://salt.radio-haven.net/"
    description="By the sea" language="de-DE"/>
  <outline type="rss" xmlUrl="https://opml.radio-haven.net/untitled"/>
  <outline type="rss" text="Same" xmlUrl="http://opml.radio-haven.net/salt/"/>
  <outline type="rss" text="Inside" xmlUrl="http://192.168.0.1/feed"/></outline></body></opml>`;

test('subscriptions in OPML, packed or plain, twice', async () => {
  const path = file('list.opml.gz', gzipSync(OPML));
  assert.deepEqual(counts(await importFile(path)), {
    read: 4,
    added: 2,
    changed: 0,
    unchanged: 0,
    refused: 2,
  });
  assert.deepEqual(await showsLike('opml.radio-haven.net'), [
    {
      title: 'Sea & Salt',
      description: 'By the sea',
      homepage: 'https://salt.radio-haven.net/',
      feed: 'https://opml.radio-haven.net/salt',
      language: 'de',
      genre: 'science-tech',
      popularity: 0,
    },
    {
      title: 'opml.radio-haven.net',
      feed: 'https://opml.radio-haven.net/untitled',
      genre: 'science-tech',
      popularity: 0,
    },
  ]);
  const version = await catalogueVersion(database.pool);
  assert.deepEqual(counts(await importFile(file('list.opml', OPML))), {
    read: 4,
    added: 0,
    changed: 0,
    unchanged: 2,
    refused: 2,
  });
  assert.equal(
    await catalogueVersion(database.pool),
    version,
    'nothing new, so nobody reads the directory again',
  );
});

test('JSON lines; a later list fills what is missing, raises the count and overwrites nothing', async () => {
  const first = {
    title: 'Tides',
    feed_url: 'https://json.radio-haven.net/tides',
    source: ['a'],
    categories: ['Science'],
  };
  const second = {
    ...first,
    title: 'Other',
    homepage: 'https://tides.radio-haven.net/',
    language: 'fr',
    source: ['a', 'b'],
  };
  const broken = '{ not json\n{"title":"no feed"}\n[]';
  const path = file('list.jsonl', `${JSON.stringify(first)}\n${broken}`);
  const summary = await importFile(path);
  assert.deepEqual(counts(summary), { read: 4, added: 1, changed: 0, unchanged: 0, refused: 3 });
  assert.match(writeShowsSummary(summary), /^4 shows read\n {2}1 added\n[^]* {4}2 no feed: /);
  assert.equal((await importFile(file('later.jsonl', JSON.stringify(second)))).changed, 1);
  assert.equal((await importFile(path)).unchanged, 1);
  assert.deepEqual(await showsLike('json.radio-haven.net'), [
    {
      title: 'Tides',
      homepage: 'https://tides.radio-haven.net/',
      feed: 'https://json.radio-haven.net/tides',
      language: 'fr',
      genre: 'science-tech',
      popularity: 2,
    },
  ]);
});

function makeDump(name: string, shows: number): string {
  const path = join(folder, name);
  using dump = new DatabaseSync(path);
  dump.exec(`CREATE TABLE podcasts (id INTEGER PRIMARY KEY, url TEXT NOT NULL UNIQUE, title TEXT NOT NULL, lastUpdate INTEGER,
    link TEXT, dead INTEGER, itunesAuthor TEXT, imageUrl TEXT, language TEXT, episodeCount INTEGER, popularityScore INTEGER,
    podcastGuid TEXT, description TEXT, category1 TEXT, category2 TEXT)`);
  const add = dump.prepare(
    `INSERT INTO podcasts (url, title, link, dead, itunesAuthor, imageUrl, language, popularityScore, description, category1,
     category2) VALUES (?, ?, 'https://pi.radio-haven.net/', ?, 'Ann & Bob', 'https://pi.radio-haven.net/i.png', 'en-GB', ?,
     '<p>Of &amp; on</p>', 'sports', 'cricket')`,
  );
  dump.exec('BEGIN');
  for (let n = 1; n <= shows; n += 1)
    add.run(`https://${name}.radio-haven.net/${n}`, `Show ${n}`, n === 2 ? 1 : 0, n);
  dump.exec('COMMIT');
  return path;
}

test('a dump of the Podcast Index, over several pages and batches', async () => {
  const path = makeDump('pi', 2300);
  assert.deepEqual(counts(await importFile(path)), {
    read: 2300,
    added: 2299,
    changed: 0,
    unchanged: 0,
    refused: 1,
  });
  const shows = await showsLike('pi.radio-haven.net');
  assert.deepEqual(shows[0], {
    title: 'Show 1',
    hosts: 'Ann & Bob',
    description: 'Of & on',
    homepage: 'https://pi.radio-haven.net/',
    feed: 'https://pi.radio-haven.net/1',
    language: 'en',
    genre: 'cricket',
    popularity: 1,
    image: 'https://pi.radio-haven.net/i.png',
  });
  assert.equal((await importFile(path)).unchanged, 2299);
});

test('a SQLite file that is no such dump says so', async () => {
  const path = join(folder, 'other.db');
  using other = new DatabaseSync(path);
  other.exec('CREATE TABLE things (id INTEGER)');
  await assert.rejects(importFile(path), /not a Podcast Index dump/);
  assert.throws(() => openShowList(join(folder, 'missing')), /there is no file/);
});

async function* numbered(count: number, fails: boolean): AsyncGenerator<ListItem> {
  for (let n = 0; n < count; n += 1)
    yield { show: { feedAddress: `https://cut.radio-haven.net/${n}`, title: `Cut ${n}`, categories: [] } };
  if (fails) throw new Error('the file ends here');
}

test('a run that breaks leaves whole batches, and the next one goes on from there', async () => {
  const options = { pool: database.pool, source: 'test' };
  await assert.rejects(importShows({ ...options, items: numbered(1500, true) }), /the file ends here/);
  assert.equal((await showsLike('cut.radio-haven.net')).length, 1000);
  const summary = await importShows({ ...options, items: numbered(1500, false) });
  assert.deepEqual([summary.added, summary.unchanged], [500, 1000]);
  const { rows } = await database.pool.query(
    "SELECT FROM shows s JOIN search_documents d ON d.kind = 'p' AND d.item_id = s.id WHERE s.title LIKE 'Cut %'",
  );
  assert.equal(rows.length, 1500, 'all can be found');
});

test('what an operator pinned stays empty', async () => {
  const path = file(
    'pin.jsonl',
    JSON.stringify({ feed_url: 'https://pin.radio-haven.net/x', title: 'Pinned' }),
  );
  await importFile(path);
  await database.pool.query(
    "UPDATE shows SET pinned = '{description}' WHERE feed_address = 'https://pin.radio-haven.net/x'",
  );
  const given = { feed_url: 'https://pin.radio-haven.net/x', description: 'Not this', language: 'en' };
  assert.equal((await importFile(file('pin2.jsonl', JSON.stringify(given)))).changed, 1);
  const [show] = await showsLike('pin.radio-haven.net');
  assert.deepEqual([show?.['description'], show?.['language']], [undefined, 'en']);
});
