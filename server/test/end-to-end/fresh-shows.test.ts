import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { Aliases } from '../../src/core/directory/lookup/by-any-id.ts';
import { saveFeed } from '../../src/core/feeds/save-feed.ts';
import { parseFeed } from '../../src/formats/feed/parse-feed.ts';
import { browseEndpoints } from '../../src/protocols/radiotime/browse/browse.ts';
import { describe } from '../../src/protocols/radiotime/describe/describe.ts';
import { search } from '../../src/protocols/radiotime/search/search.ts';
import { tune } from '../../src/protocols/radiotime/tune/tune.ts';
import { FED } from '../../src/storage/cache/read-through.ts';
import { ask } from '../apps/browse-app.ts';
import { waitUntil } from '../time/wait-until.ts';
import { testApp } from '../apps/http-server.ts';
import { seededDirectory } from '../content/seeded-directory.ts';
import { addShow } from '../database/catalogue/add-show.ts';

const FOLK = 1310;
const FEED = 'https://feeds.example.net/tides.xml';

let seeded: Awaited<ReturnType<typeof seededDirectory>>;
let app: FastifyInstance;
let showId: number;
before(async () => {
  seeded = await seededDirectory();
  const { pool } = seeded.database;
  const feed = { address: FEED, key: '00000000-0000-4000-8000-000000000001' };
  showId = (await addShow(pool, { title: 'Tides', genreId: FOLK, feed })) ?? 0;
  const deps = { directory: seeded.directory, db: pool, aliases: new Aliases(pool) };
  const endpoints = [...browseEndpoints(deps), tune(deps), search(deps), ...describe(deps)];
  app = testApp(endpoints).app;
  await readTopics('First');
});
after(async () => {
  await app.close();
  await seeded[Symbol.asyncDispose]();
});

/** A feed that tells its topics, the newest last; each an hour after the other. */
async function readTopics(...titles: string[]): Promise<void> {
  const items = titles.map(
    (title, hour) => `<item><title>${title} tide</title><guid>${title}</guid>
      <pubDate>${new Date(Date.UTC(2026, 0, 9, hour)).toUTCString()}</pubDate>
      <enclosure url="https://media.example.net/${title}.mp3" type="audio/mpeg"/></item>`,
  );
  const text = `<rss version="2.0"><channel><title>Tides of ${titles.at(-1)}</title>
    ${items.join('')}</channel></rss>`;
  const now = Temporal.Instant.from('2026-02-01T00:00:00Z');
  await saveFeed(seeded.database.pool, showId, parseFeed(Buffer.from(text), FEED), now);
}

/** Every menu that tells of a show or of its topics. */
const menus = (): string[] => [
  `/Browse.ashx?id=g${FOLK}`,
  `/Browse.ashx?id=g${FOLK}&filter=p`,
  `/Browse.ashx?id=g${FOLK}&filter=p:topic`,
  `/Browse.ashx?id=p${showId}`,
  `/Browse.ashx?c=topics&id=p${showId}`,
  `/Tune.ashx?c=pbrowse&id=p${showId}`,
  `/Tune.ashx?id=p${showId}`,
  `/Describe.ashx?id=p${showId}`,
  `/Search.ashx?query=p${showId}&filter=p:topic`,
];
const askAll = (): Promise<string[]> => Promise.all(menus().map((url) => ask(app, url)));

const assertEach = (answers: readonly string[], word: string): void =>
  answers.forEach((answer, index) => assert.ok(answer.includes(word), `${menus()[index]}: ${answer}`));

/** A menu of stations waits for its shows a tenth of a second, and others answer with what they have and renew it. */
const comesToPublish = (word: string): Promise<boolean> =>
  waitUntil(
    word,
    async () => {
      assertEach(await askAll(), word);
      return true;
    },
    5000,
  );

test('what a feed tells is in every menu, and what it tells next half a minute later', async (t) => {
  const real = performance.now.bind(performance);
  let ahead = 0;
  t.mock.method(performance, 'now', () => real() + ahead);
  await comesToPublish('First');

  await readTopics('First', 'Second');
  assertEach(await askAll(), 'First');
  ahead += FED.freshMs;
  await comesToPublish('Second');

  await readTopics('First', 'Second', 'Third');
  ahead += FED.lateMs;
  // The menu of stations may have waited long enough.
  const [, ...waiting] = await askAll();
  assertEach(['Third', ...waiting], 'Third');
});
