import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type BrowseApp, browseApp, linksOf } from '../../../../test/apps/browse-app.ts';

let browse: BrowseApp;
before(async () => {
  browse = await browseApp();
  // Of the shows of the genre every other one is Ogg; those on air are heard on stations too.
  await browse.database.pool.query(`
    DELETE FROM broadcasts;
    UPDATE topics SET format = CASE WHEN show_id % 2 = 0 THEN 'ogg' ELSE 'mp3' END;
    UPDATE shows SET formats = CASE WHEN id % 2 = 0 THEN 4 ELSE 1 END;
    UPDATE newest_topics SET formats = CASE WHEN show_id % 2 = 0 THEN 4 ELSE 1 END`);
});
after(() => browse?.[Symbol.asyncDispose]());

const showsOf = (body: string): number[] =>
  [...body.matchAll(/guide_id="p(\d+)"/g)].map(([, id = '']) => Number(id));

test('groups, pages and what is like a show have what the caller plays', async () => {
  for (const [formats, rest] of [
    ['ogg', 0],
    ['mp3', 1],
  ] as const) {
    const lists = [
      `/Browse.ashx?id=g1000&formats=${formats}`,
      `/Browse.ashx?id=g1000&filter=p&formats=${formats}`,
      `/Browse.ashx?id=p10${rest + 1}&formats=${formats}`,
    ];
    for (const url of lists) {
      const shows = showsOf(await browse.getSettled(url)).filter((id) => id >= 101 && id <= 112);
      assert.ok(shows.length > 3, `${url} has ${shows.length}`);
      for (const id of shows) assert.equal(id % 2, rest, `${url}: p${id}`);
    }
  }
});

test('pages go on where the last ended, whatever cannot be played between', async () => {
  const seen: number[] = [];
  let url: string | undefined = '/Browse.ashx?id=g1000&filter=p&formats=mp3&partnerId=small';
  while (url !== undefined) {
    const body = await browse.getSettled(url);
    const shows = showsOf(body);
    url = linksOf(body).find((link) => link.includes('offset='));
    assert.ok(url === undefined || shows.length === 2, 'a page that goes on is full');
    seen.push(...shows);
  }
  assert.deepEqual(seen, [101, 103, 105, 107, 109, 111]);
});

test('podcasts, languages and newest topics lead to nothing that cannot be played', async () => {
  assert.deepEqual(linksOf(await browse.getSettled('/Browse.ashx?c=podcast&formats=wma')), []);
  assert.ok(linksOf(await browse.getSettled('/Browse.ashx?c=podcast&formats=ogg')).length > 0);
  const newest = await browse.getSettled('/Browse.ashx?id=g2000&filter=p:topic&formats=wma');
  assert.doesNotMatch(newest, /item="topic"/);
});

test('topics of a show are those of the format', async () => {
  assert.match(await browse.getSettled('/Browse.ashx?c=topics&id=p101&formats=mp3'), /item="topic"/);
  assert.doesNotMatch(await browse.getSettled('/Browse.ashx?c=topics&id=p101&formats=ogg'), /item="topic"/);
  assert.match(await browse.getSettled('/Browse.ashx?c=topics&id=p101'), /item="topic"/);
});

const presets = (formats: string): Promise<string> =>
  browse.getSettled(`/Browse.ashx?c=presets&partnerId=maker&username=ann&guide_id=f1031&formats=${formats}`);

test('a show among presets that cannot be played is listed and says so, as a station does', async () => {
  assert.match(await presets('ogg'), /guide_id="p101"[^\n]* key="unavailable"/);
  assert.doesNotMatch(await presets('mp3'), /guide_id="p101"[^\n]* key="unavailable"/);
});
