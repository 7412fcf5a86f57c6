import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { testApp } from '../../test/http-server.ts';
import { seededDirectory, type SeededDirectory } from '../../test/seeded-directory.ts';
import { stationsOfGenre } from '../directory/by-genre.ts';
import { ALL_FORMATS } from '../lib/stream-format.ts';
import { browse } from './browse.ts';

let seeded: SeededDirectory;
let app: FastifyInstance;
before(async () => {
  seeded = await seededDirectory();
  app = testApp([browse({ directory: seeded.directory })]).app;
});
after(async () => {
  await app.close();
  await seeded[Symbol.asyncDispose]();
});

const get = async (url: string): Promise<string> => {
  const { body, statusCode } = await app.inject({ url, headers: { host: 'radio.test' } });
  assert.equal(statusCode, 200);
  return body;
};

/** The menus as radios get them, one file each. */
const GOLDEN = {
  'index.opml': '/Browse.ashx?partnerId=demo',
  'index-of-a-named-caller.opml': '/?partnerId=demo&username=ann&formats=mp3,aac',
  'index.json': '/Index.aspx?render=json',
  'world.opml': '/Browse.ashx?id=r0&partnerId=demo',
  'continent.opml': '/Browse.ashx?id=r101217',
  'languages.opml': '/Browse.ashx?c=lang&partnerId=demo',
  'music.opml': '/Browse.ashx?c=music&partnerId=demo',
  'genre.opml': '/Browse.ashx?id=g1005&partnerId=demo',
  'genre-in-formats.opml': '/Browse.ashx?id=g1005&formats=aac',
  'local.opml': '/Browse.ashx?c=local&latlon=51.9,-8.5',
  'podcasts.opml': '/Browse.ashx?c=podcast',
  'unknown-classifier.opml': '/Browse.ashx?c=constructor',
  'unknown-id.opml': '/Browse.ashx?id=g999999',
  'not-browsable.opml': '/Browse.ashx?id=local',
};
for (const [file, url] of Object.entries(GOLDEN)) {
  test(`${url} answers ${file}`, async (t) => {
    t.assert.fileSnapshot(await get(url), join(import.meta.dirname, 'golden', file), {
      serializers: [String],
    });
  });
}

/** Addresses in a menu, ready to be asked for. */
const linksOf = (body: string): string[] =>
  [...body.matchAll(/URL="http:\/\/radio\.test([^"]+)"/g)].map(([, path = '']) =>
    path.replaceAll('&amp;', '&'),
  );

const stationsOf = (body: string): string[] =>
  [...body.matchAll(/guide_id="(s\d+)"/g)].map(([, id = '']) => id);

test('following links from the world reaches every station that has a place', async () => {
  const seen = new Set<string>();
  const stations = new Set<string>();
  const walk = async (path: string): Promise<void> => {
    if (seen.has(path)) return;
    seen.add(path);
    const body = await get(path);
    assert.match(body, /<status>200<\/status>/, path);
    for (const id of stationsOf(body)) stations.add(id);
    for (const link of linksOf(body)) if (link.startsWith('/Browse.ashx')) await walk(link);
  };
  await walk('/Browse.ashx?id=r0');
  const placed = seeded.directory.current().stations.filter(({ regionId }) => regionId !== undefined);
  assert.equal(stations.size, placed.length);
  assert.ok(placed.length > 60);
});

test('a list pages to its end, each station once, in the order of the whole', async () => {
  const listed: string[] = [];
  let next: string | undefined = '/Browse.ashx?id=g1000&filter=s&offset=0';
  while (next !== undefined) {
    const body = await get(next);
    listed.push(...stationsOf(body));
    next = linksOf(body).find((link) => link.includes('offset='));
  }
  const { stations } = stationsOfGenre(seeded.directory.current(), 1000, {
    formats: ALL_FORMATS,
    offset: 0,
    limit: 1000,
  });
  assert.deepEqual(
    listed,
    stations.map(({ id }) => `s${id}`),
  );
  assert.ok(listed.length > 50, 'one page would prove nothing');
});

test('more than fifty stations end in a link to the rest', async () => {
  const first = await get('/Browse.ashx?id=g1000');
  const [more = ''] = linksOf(first).filter((link) => link.includes('offset=50'));
  assert.match(more, /^\/Browse\.ashx\?offset=50&id=g1000&filter=s$/);
  const second = await get(more);
  assert.match(second, /<title>More Stations - Music<\/title>/);
  assert.equal(stationsOf(first).filter((id) => stationsOf(second).includes(id)).length, 0);
  assert.doesNotMatch(second, /nextStations/);
});

test('a language goes along into every deeper link', async () => {
  const [first = ''] = linksOf(await get('/Browse.ashx?c=lang')).filter((link) => /filter=l\d+$/.test(link));
  const filter = new RegExp(`[=:]${first.slice(first.indexOf('filter=') + 7)}(?::|$)`);
  const body = await get(first);
  assert.ok(linksOf(body).length > 1);
  for (const link of linksOf(body)) assert.match(link, filter);
});

test('a format that a station does not have hides it', async () => {
  assert.ok(stationsOf(await get('/Browse.ashx?id=g1005')).length > 10);
  assert.deepEqual(stationsOf(await get('/Browse.ashx?id=g1005&formats=wma')), []);
  const wma = stationsOf(await get('/Browse.ashx?c=local&latlon=51.5,-0.1&formats=wma'));
  assert.equal(wma.length, 1);
});

test('every link repeats who is asking, and every address has a question mark', async () => {
  const globals = 'formats=mp3&partnerId=demo&serial=00-11&locale=de&username=ann&latlon=1,2';
  for (const start of ['c=music', 'id=g1005', 'id=r0', 'c=lang', '']) {
    const body = await get(`/Browse.ashx?${start}&${globals}`);
    for (const link of linksOf(body)) {
      assert.ok(link.includes('?'), link);
      assert.ok(
        link.includes('&formats=mp3&partnerId=demo&serial=00-11&locale=de&username=ann&latlon=1,2'),
        link,
      );
    }
  }
});
