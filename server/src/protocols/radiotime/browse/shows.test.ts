import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ask,
  askSettled,
  type BrowseApp,
  browseApp,
  keysOf,
  linksOf,
  stationsOf,
} from '../../../../test/apps/browse-app.ts';
import { playableBits, wantedBits } from '../../../core/directory/groups/compiled-filter.ts';
import { Aliases } from '../../../core/directory/lookup/by-any-id.ts';
import { parseFormats } from '../../../lib/stream-format.ts';
import { createPool, type Queryable } from '../../../storage/db/pool.ts';

let browse: BrowseApp;
before(async () => {
  browse = await browseApp();
});
after(() => browse[Symbol.asyncDispose]());

const showsOf = (body: string): string[] => [...body.matchAll(/guide_id="(p\d+)"/g)].map(([, id = '']) => id);

test('a genre has the shows of the genres under it, and pages to their end', async () => {
  const first = await browse.get('/Browse.ashx?id=g1000');
  assert.deepEqual(
    showsOf(first),
    Array.from({ length: 10 }, (_none, n) => `p${101 + n}`),
  );
  const [more = ''] = linksOf(first).filter((link) => link.endsWith('filter=p'));
  assert.equal(more, '/Browse.ashx?offset=10&id=g1000&filter=p');
  const rest = await browse.get(more);
  assert.deepEqual(showsOf(rest), ['p111', 'p112']);
  assert.doesNotMatch(rest, /nextShows/);
  assert.deepEqual(showsOf(await browse.get('/Browse.ashx?id=g1000&filter=p&offset=3'))[0], 'p104');
});

test('a page that the last shows fill leads to no other', async () => {
  const last = await browse.get('/Browse.ashx?id=g1000&filter=p&offset=10&partnerId=small');
  assert.deepEqual(showsOf(last), ['p111', 'p112'], 'two a group, as its partner has arranged');
  assert.doesNotMatch(last, /nextShows/);
  assert.match(await browse.get('/Browse.ashx?id=g1000&filter=p&offset=9&partnerId=small'), /nextShows/);
});

test('a language has its shows, alone and within a genre', async () => {
  const german = [...browse.snapshot.languages].find(({ code }) => code === 'de');
  const l = `l${german?.id}`;
  assert.deepEqual(showsOf(await browse.get(`/Browse.ashx?c=lang&filter=${l}`)), ['p121']);
  assert.deepEqual(showsOf(await browse.get(`/Browse.ashx?c=lang&filter=p:${l}`)), ['p121']);
  assert.deepEqual(showsOf(await browse.get(`/Browse.ashx?id=g2005&filter=${l}`)), ['p121']);
  assert.deepEqual(
    showsOf(await browse.get('/Browse.ashx?id=g2005')),
    ['p120', 'p121'],
    'none that is withdrawn',
  );
});

test('podcasts lead to genres that have shows', async () => {
  const links = linksOf(await browse.get('/Browse.ashx?c=podcast&partnerId=demo'));
  assert.equal(links.length, 2);
  for (const link of links) assert.ok(showsOf(await browse.get(link)).length > 1, link);
});

test('a language that only shows have leads to them through its genres, and to nothing empty', async () => {
  const all = browse.snapshot.languageById.values();
  const language = all.find(({ stationCount }) => stationCount === 0)?.id ?? assert.fail();
  const { pool } = browse.database;
  await pool.query(
    `INSERT INTO shows (id, title, language_id, genre_id) SELECT 130, 'By the Harbour', $1, id FROM genres WHERE slug = 'news'`,
    [language],
  );
  await using app = browse.with({});
  for (const menu of ['c=lang', 'c=talk', 'id=c424725', 'c=podcast']) {
    const asked = `/Browse.ashx?${menu}&filter=l${language}`;
    const links = linksOf(await askSettled(pool, app, asked)).filter((link) => link.startsWith('/Browse'));
    assert.ok(links.length > 0, asked);
    for (const link of links)
      assert.deepEqual(showsOf(await askSettled(pool, app, link)), ['p130'], `${asked} to ${link}`);
  }
  assert.deepEqual(linksOf(await askSettled(pool, app, `/Browse.ashx?c=music&filter=l${language}`)), []);
  await pool.query('DELETE FROM shows WHERE id = 130');
});

test('stations like another are those that the caller can play', async () => {
  for (const formats of ['mp3', 'aac', 'ogg']) {
    const alike = stationsOf(await browse.get(`/Browse.ashx?id=s1&detail=recommendation&formats=${formats}`));
    assert.ok(alike.length > 0, formats);
    for (const id of alike) {
      const station = browse.snapshot.stationById.get(Number(id.slice(1)));
      assert.ok(station && playableBits(station) & wantedBits(parseFormats(formats)), `${id} in ${formats}`);
    }
  }
});

test('details of a station and of a show', async () => {
  const groups = ['recommendations', 'genres', 'affiliates'];
  const table: [url: string, keys: string[]][] = [
    ['id=s1', groups],
    ['id=s1&detail=genre', ['genres']],
    ['id=s1&detail=affiliate,recommendation', ['recommendations', 'affiliates']],
    ['id=s1&detail=nonsense', []],
    ['id=s1&detail=Affiliates,genres', ['genres', 'affiliates']],
    ['id=p101', ['recommendations', 'genres', 'music']],
    ['id=p101&detail=genre', ['genres', 'music']],
  ];
  for (const [url, keys] of table)
    assert.deepEqual(keysOf(await browse.get(`/Browse.ashx?${url}`)), keys, url);
  const alone = await browse.get('/Browse.ashx?id=s9&detail=affiliate');
  assert.match(
    alone,
    /<outline type="text" text="No stations/,
    'a station of no network says that there is none',
  );
  assert.doesNotMatch(alone, /key="affiliates"/);
  const station = await browse.get('/Browse.ashx?id=s1&detail=recommendation');
  assert.ok(!stationsOf(station).includes('s1'), 'a station is not like itself');
  assert.ok(!showsOf(await browse.get('/Browse.ashx?id=p101')).includes('p101'), 'nor is a show');
});

const topicsOf = (body: string): string[] =>
  [...body.matchAll(/text="(Topic \d+)"/g)].map(([, text = '']) => text);

test('topics page to their end, the newest first', async () => {
  const first = await browse.get('/Browse.ashx?c=topics&id=p101');
  const second = await browse.get(linksOf(first).at(-1) ?? '');
  assert.deepEqual(
    [...topicsOf(first), ...topicsOf(second)],
    Array.from({ length: 60 }, (_none, n) => `Topic ${60 - n}`),
  );
  assert.doesNotMatch(second, /nextTopics/);
  const [, last = ''] = /filter=(t\d+)/.exec(linksOf(first).at(-1) ?? '') ?? [];
  assert.equal(
    await browse.get(`/Browse.ashx?c=topics&id=p101&after=${last}`),
    second,
    'the older way to ask',
  );
  assert.match(
    await browse.get('/Browse.ashx?c=topics&id=p122'),
    /request.idInvalid/,
    'a withdrawn show is gone',
  );
});

test('an id from elsewhere leads to ours', async () => {
  assert.match(await browse.get('/Browse.ashx?id=s424242'), /<title>Harbour Folk<\/title>/);
  assert.match(await browse.get('/Browse.ashx?id=g77'), /<title>Pop<\/title>/);
});

/** A database that nobody answers for, and one that thinks too long. */
const away = createPool({
  databaseUrl: 'postgres://nobody@127.0.0.1:9/none',
  size: 2,
  applicationName: 'test',
});
after(() => away.end());
const slow: Queryable = {
  query: async (config) => {
    await sleep(1500);
    return browse.database.pool.query(config);
  },
};
const STATION_MENUS = [
  'id=g1000',
  'id=g1310&username=ann',
  'c=local&username=ann',
  'id=r0',
  'c=music',
  'c=lang',
  'id=s1',
];
const SHOW_MENUS = ['id=g1000&filter=p', 'c=podcast', 'c=topics&id=p101', 'id=p101', 'c=schedule&id=s1'];

for (const [name, db] of [
  ['away', away],
  ['slow', slow],
] as const) {
  test(`menus of stations are quick while the database is ${name}`, async () => {
    await using app = browse.with({ db, aliases: new Aliases(db) });
    for (const url of STATION_MENUS) {
      const started = performance.now();
      const body = await ask(app, `/Browse.ashx?${url}&latlon=51.9,-8.5`);
      assert.match(body, /<status>200<\/status>/, url);
      assert.ok(body.match(/<outline/g)!.length > 2, url);
      assert.ok(performance.now() - started < 1000, `${url} took ${performance.now() - started} ms`);
    }
  });
}

test('menus of what only the database knows say that it is away', async () => {
  await using app = browse.with({ db: away, aliases: new Aliases(away) });
  for (const url of SHOW_MENUS)
    assert.match(await ask(app, `/Browse.ashx?${url}`), /<fault_code>service.unavailable<\/fault_code>/, url);
  const presets = await ask(app, '/Browse.ashx?c=presets&partnerId=maker&username=ann');
  assert.match(presets, /<fault_code>service.unavailable<\/fault_code>/);
});

test('shows that came too late for a menu are in the next', async () => {
  await using app = browse.with({ db: slow, aliases: new Aliases(slow) });
  assert.deepEqual(showsOf(await ask(app, '/Browse.ashx?id=g1310')), []);
  await sleep(2000);
  assert.equal(showsOf(await ask(app, '/Browse.ashx?id=g1310')).length, 10);
});
