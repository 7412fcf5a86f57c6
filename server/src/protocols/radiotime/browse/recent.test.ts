import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ask, type BrowseApp, browseApp, linksOf, stationsOf } from '../../../../test/apps/browse-app.ts';
import { buildSnapshot } from '../../../core/directory/snapshot/build-snapshot.ts';

let browse: BrowseApp;
before(async () => {
  browse = await browseApp();
});
after(() => browse[Symbol.asyncDispose]());

/** Every station behind a menu, page by page. */
async function readPages(first: string, get = browse.get): Promise<string[]> {
  const listed: string[] = [];
  for (let next: string | undefined = first; next !== undefined;) {
    const body: string = await get(next);
    listed.push(...stationsOf(body));
    next = linksOf(body).find((link) => link.includes('offset='));
  }
  return listed;
}

test('the newest stations come first, and each once however the list is paged', async () => {
  const all = browse.snapshot.stations
    .toSorted((a, b) => b.addedHour - a.addedHour || a.rank - b.rank)
    .map(({ id }) => `s${id}`);
  assert.deepEqual(all.slice(0, 2), ['s9', 's10']);
  for (const partner of ['demo', 'small'])
    assert.deepEqual(await readPages(`/Browse.ashx?c=recent&partnerId=${partner}`), all, partner);
});

test('what is new in a genre is found by a filter', async () => {
  const ranks = browse.snapshot.genreById.get(1310)?.ranks ?? [];
  const listed = await readPages('/Browse.ashx?c=recent&filter=g1310&partnerId=small');
  assert.ok(ranks.length > 4 && ranks.length < browse.snapshot.stations.length, 'the test tells nothing');
  assert.deepEqual(
    new Set(listed),
    new Set([...ranks].map((rank) => `s${browse.snapshot.stations[rank]!.id}`)),
  );
});

test('the title is in the language of the caller', async () => {
  assert.match(await browse.get('/Browse.ashx?c=recent'), /<title>New Stations</);
  assert.match(await browse.get('/Browse.ashx?c=recent&locale=de'), /<title>Neue Sender</);
});

test('a directory that was filled just now begins with what most people hear', async () => {
  const { pool } = browse.database;
  await pool.query(
    `UPDATE stations SET created_at = '2026-03-01T00:00:00Z'::timestamptz + id * interval '1 second'`,
  );
  const filled = await buildSnapshot(pool);
  const app = browse.with({ directory: { current: () => filled } });
  const get = (url: string): Promise<string> => ask(app, url);
  assert.deepEqual(
    await readPages('/Browse.ashx?c=recent', get),
    await readPages('/Browse.ashx?c=popular', get),
  );
});
