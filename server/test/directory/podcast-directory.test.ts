import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { Aliases } from '../../src/core/directory/lookup/by-any-id.ts';
import { buildSnapshot } from '../../src/core/directory/snapshot/build-snapshot.ts';
import { saveFeed } from '../../src/core/feeds/save-feed.ts';
import { parseFeed } from '../../src/formats/feed/parse-feed.ts';
import { importShows } from '../../src/import/sources/podcasts/import-shows.ts';
import { readOpmlShows } from '../../src/import/sources/podcasts/read-shows.ts';
import { browseEndpoints } from '../../src/protocols/radiotime/browse/browse.ts';
import { tune } from '../../src/protocols/radiotime/tune/tune.ts';
import { ensureGenres } from '../../src/storage/catalog/stations/station-groups.ts';
import { transaction } from '../../src/storage/db/transaction.ts';
import { ask, linksOf } from '../apps/browse-app.ts';
import { type TestDatabase, testDatabaseWithPlaces } from '../database/database.ts';
import { testApp } from '../apps/http-server.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabaseWithPlaces();
  await transaction(database.pool, ensureGenres);
});
after(() => database[Symbol.asyncDispose]());

/** A service without a single station. */
async function serve(): Promise<FastifyInstance> {
  const { pool } = database;
  const snapshot = await buildSnapshot(pool);
  const deps = { directory: { current: () => snapshot }, db: pool, aliases: new Aliases(pool) };
  return testApp([...browseEndpoints(deps), tune(deps)]).app;
}

const FEED = 'https://feeds.example.net/peat.xml';
const LIST = `<opml version="2.0"><body><outline text="Astronomy" type="rss" xmlUrl="${FEED}"
  category="Science" language="cy"/></body></opml>`;
const READ = `<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel>
  <title>Y Sêr Uwchben</title><language>cy</language><itunes:category text="Science"/>
  <item><title>Y Lleuad</title><guid>1</guid><pubDate>Fri, 09 Jan 2026 06:00:00 GMT</pubDate>
    <enclosure url="https://media.example.net/lleuad.mp3" type="audio/mpeg"/></item></channel></rss>`;

test('an empty directory says that it has no podcasts, and does not fail', async () => {
  await using app = await serve();
  const menu = await ask(app, '/Browse.ashx?c=podcast');
  assert.match(menu, /<status>200<\/status>/);
  assert.match(menu, /<outline type="text" text="No stations or shows available"\/>/);
});

test('a list and a feed alone make a directory, from the index to the sound', async () => {
  const { pool } = database;
  const items = readOpmlShows(
    (async function* () {
      yield Buffer.from(LIST);
    })(),
  );
  await importShows({ pool, source: 'list', items });
  const { rows } = await pool.query('SELECT id FROM shows');
  await using listed = await serve();
  const named = await follow(listed, '/Browse.ashx?c=podcast', 'item="show"');
  assert.match(named, /text="Astronomy"/, 'as the list names it');

  await saveFeed(
    pool,
    rows[0].id,
    parseFeed(Buffer.from(READ), FEED),
    Temporal.Instant.from('2026-02-01T00:00Z'),
  );
  await using read = await serve();
  const shows = await follow(read, '/Browse.ashx?c=podcast', 'item="show"');
  assert.match(shows, /text="Y Sêr Uwchben"/, 'as its feed does');
  const [open = ''] = linksOf(shows).filter((link) => link.includes('c=pbrowse'));
  const [play = ''] = linksOf(await ask(read, open));
  assert.equal(await ask(read, play), 'https://media.example.net/lleuad.mp3\n');
});

test('a language that only shows speak is in the list of languages, and opens', async () => {
  await using app = await serve();
  const languages = await ask(app, '/Browse.ashx?c=lang');
  const [welsh = ''] = linksOf(languages);
  assert.match(languages, /text="Welsh"/);
  assert.match(await ask(app, welsh), /key="shows">\n<outline [^>]*text="Y Sêr Uwchben"/);
});

/** Opens links until a menu holds what is looked for. */
async function follow(app: FastifyInstance, path: string, wanted: string): Promise<string> {
  const menu = await ask(app, path);
  if (menu.includes(wanted)) return menu;
  const [first] = linksOf(menu);
  assert.ok(first, `no way to ${wanted} from ${path}: ${menu}`);
  return follow(app, first, wanted);
}
