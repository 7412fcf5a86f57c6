import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type BrowseApp, browseApp, keysOf, linksOf, stationsOf } from '../../../../test/apps/browse-app.ts';
import { ALL_FORMATS } from '../../../lib/stream-format.ts';
import { stationsOfGenre } from '../../../../test/directory/stations-of.ts';

let browse: BrowseApp;
before(async () => {
  browse = await browseApp();
});
after(() => browse[Symbol.asyncDispose]());

const PRESETS = '/Browse.ashx?c=presets&partnerId=maker';

/** The menus as radios get them, one file each. */
const GOLDEN = {
  'index.opml': '/Browse.ashx?partnerId=demo',
  'index-of-a-named-caller.opml': '/?partnerId=demo&username=ann&formats=mp3,aac',
  'index-with-search.opml': '/Index.aspx?partnerId=demo',
  'index.json': '/Browse.ashx?render=json',
  'index-and-best.opml': '/Browse.ashx?c=index,best&formats=aac',
  'world.opml': '/Browse.ashx?id=r0&partnerId=demo',
  'continent.opml': '/Browse.ashx?id=r101217',
  'country.opml': '/Browse.ashx?id=r200233',
  'country-of-many.opml': '/Browse.ashx?id=r200233&partnerId=small',
  'country-by-genre.opml': '/Browse.ashx?pivot=genre&id=r200233',
  'city.opml': '/Browse.ashx?id=r214662',
  'language.opml': '/Browse.ashx?c=lang&filter=l78',
  'genre-in-german.opml': '/Browse.ashx?id=g1310&locale=de-AT&partnerId=small',
  'languages.opml': '/Browse.ashx?c=lang&partnerId=demo',
  'music.opml': '/Browse.ashx?c=music&partnerId=demo',
  'news-by-its-old-number.opml': '/Browse.ashx?id=c57922',
  'talk-by-its-old-number.opml': '/Browse.ashx?id=c424725',
  'genre.opml': '/Browse.ashx?id=g1005&partnerId=demo',
  'genre-page.opml': '/Browse.ashx?offset=50&id=g1000&filter=s',
  'genre-with-shows.opml': '/Browse.ashx?id=g1310',
  'genre-with-local-stations.opml': '/Browse.ashx?id=g1310&latlon=51.9,-8.5',
  'genre-in-formats.opml': '/Browse.ashx?id=g1005&formats=aac',
  'genre-by-location.opml': '/Browse.ashx?pivot=country&id=g1000&filter=s',
  'genre-by-country.opml': '/Browse.ashx?pivot=country&id=g1000&filter=s:r101217',
  'genre-by-name.opml': '/Browse.ashx?pivot=name&id=g1000&filter=s',
  'shows-page.opml': '/Browse.ashx?offset=10&id=g1310&filter=p',
  'newest-topics.opml': '/Browse.ashx?id=g2000&filter=p:topic&partnerId=demo',
  'newest-topics.json': '/Browse.ashx?id=g2005&filter=p:topic&render=json&locale=de',
  'no-newest-topics.opml': '/Browse.ashx?id=g1005&filter=p:topic',
  'local.opml': '/Browse.ashx?c=local&latlon=51.9,-8.5',
  'local.json': '/Browse.ashx?c=local&latlon=51.9,-8.5&render=json',
  'podcasts.opml': '/Browse.ashx?c=podcast',
  'popular.opml': '/Browse.ashx?c=popular&formats=aac',
  'trending.opml': '/Browse.ashx?c=trending&formats=aac',
  'best.opml': '/Browse.ashx?c=best&formats=aac',
  'recent.opml': '/Browse.ashx?c=recent&formats=aac',
  'station.opml': '/Browse.ashx?id=s1',
  'show.opml': '/Browse.ashx?id=p101',
  'affiliate.opml': '/Browse.ashx?id=a1',
  'artist.opml': '/Browse.ashx?id=m1',
  'topics.opml': '/Browse.ashx?c=topics&id=p101&title=Evening',
  'playlist.opml': '/Browse.ashx?c=playlist&id=s1',
  'schedule.opml': '/Browse.ashx?c=schedule&id=s2&start=20260328',
  'schedule-of-an-account.opml': '/Browse.ashx?c=schedule&id=s2&start=20260328&stop=20260329&username=ann',
  'no-schedule.opml': '/Browse.ashx?c=schedule&id=s3',
  'preset-folders.opml': `${PRESETS}&username=ann`,
  'presets.opml': `${PRESETS}&username=ann&title=General&guide_id=f1031`,
  'presets-recursed.opml': `${PRESETS}&username=ann&options=recurse:tuneShows`,
  'presets.json': `${PRESETS}&username=bo&render=json`,
  'no-presets.opml': `${PRESETS}&serial=00-11`,
  'unknown-classifier.opml': '/Browse.ashx?c=constructor',
  'unknown-id.opml': '/Browse.ashx?id=g999999',
  'unknown-category.opml': '/Browse.ashx?id=c1',
  'not-browsable.opml': '/Browse.ashx?id=local',
};
for (const [file, url] of Object.entries(GOLDEN)) {
  test(`${url} answers ${file}`, async (t) => {
    t.assert.fileSnapshot(await browse.getSettled(url), join(import.meta.dirname, 'golden', file), {
      serializers: [String],
    });
  });
}

test('following links from the world reaches every station, placed or not', async () => {
  const seen = new Set<string>();
  const stations = new Set<string>();
  const walk = async (path: string): Promise<void> => {
    if (seen.has(path)) return;
    seen.add(path);
    const body = await browse.get(path);
    assert.match(body, /<status>200<\/status>/, path);
    for (const id of stationsOf(body)) stations.add(id);
    for (const link of linksOf(body)) if (link.startsWith('/Browse.ashx')) await walk(link);
  };
  await walk('/Browse.ashx?id=r0');
  assert.equal(stations.size, browse.snapshot.stations.length);
  assert.ok(stations.size > 60);
});

test('a list pages to its end, each station once, in the order of the whole', async () => {
  const listed: string[] = [];
  let next: string | undefined = '/Browse.ashx?id=g1000&filter=s&offset=0';
  while (next !== undefined) {
    const body = await browse.get(next);
    listed.push(...stationsOf(body));
    next = linksOf(body).find((link) => link.includes('offset='));
  }
  const wanted = { formats: ALL_FORMATS, offset: 0, limit: 1000 };
  const { stations } = stationsOfGenre(browse.snapshot, 1000, wanted);
  assert.deepEqual(
    listed,
    stations.map(({ id }) => `s${id}`),
  );
  assert.ok(listed.length > 50, 'one page would prove nothing');
});

test('more than fifty stations end in a link to the rest', async () => {
  const first = await browse.get('/Browse.ashx?id=g1000');
  const [more = ''] = linksOf(first).filter((link) => link.includes('offset=50'));
  assert.match(more, /^\/Browse\.ashx\?offset=50&id=g1000&filter=s$/);
  const second = await browse.get(more);
  assert.match(second, /<title>More Stations - Music<\/title>/);
  assert.equal(stationsOf(first).filter((id) => stationsOf(second).includes(id)).length, 0);
  assert.doesNotMatch(second, /nextStations/);
});

test('a page starts at whatever number a client works out', async () => {
  const all = stationsOf(await browse.get('/Browse.ashx?id=g1000'));
  for (const offset of [0, 1, 7, 25, 49]) {
    const [first] = stationsOf(await browse.get(`/Browse.ashx?id=g1000&filter=s&offset=${offset}`));
    assert.equal(first, all[offset], `offset ${offset}`);
  }
  for (const offset of ['999999999', '2147483648', '9'.repeat(200)])
    assert.deepEqual(stationsOf(await browse.get(`/Browse.ashx?id=g1000&filter=s&offset=${offset}`)), []);
  const [first] = stationsOf(await browse.get(`/Browse.ashx?id=g1000&filter=s&offset=-${'9'.repeat(200)}`));
  assert.equal(first, all[0]);
  assert.match(await browse.get('/Browse.ashx?id=g1000&offset=many'), /<fault_code>request.invalid</);
});

test('a language goes along into every deeper link', async () => {
  const [first = ''] = linksOf(await browse.get('/Browse.ashx?c=lang')).filter((link) =>
    /filter=l\d+$/.test(link),
  );
  const filter = new RegExp(`[=:]${first.slice(first.indexOf('filter=') + 7)}(?::|$)`);
  const body = await browse.get(first);
  assert.ok(linksOf(body).length > 1);
  for (const link of linksOf(body)) assert.match(link, filter);
});

test('a format that a station does not have hides it', async () => {
  assert.ok(stationsOf(await browse.get('/Browse.ashx?id=g1005')).length > 10);
  assert.deepEqual(stationsOf(await browse.get('/Browse.ashx?id=g1005&formats=wma')), []);
  const wma = stationsOf(await browse.get('/Browse.ashx?c=local&latlon=51.5,-0.1&formats=wma'));
  assert.equal(wma.length, 1);
});

test('every link repeats who is asking, and every address has a question mark', async () => {
  const globals = 'formats=mp3&partnerId=demo&serial=00-11&locale=de&username=ann&latlon=1,2';
  for (const start of [
    'c=music',
    'id=g1005',
    'id=r0',
    'c=lang',
    'id=s1',
    'c=podcast',
    'c=topics&id=p101',
    '',
  ]) {
    const links = linksOf(await browse.get(`/Browse.ashx?${start}&${globals}`));
    assert.ok(links.length > 0, start);
    for (const link of links) {
      assert.ok(link.includes('?'), link);
      assert.ok(link.includes(`&${globals}`) || link.startsWith(`/listen/register?&${globals}`), link);
    }
  }
});

const showCount = (body: string): number => body.match(/item="show"/g)?.length ?? 0;

const keys = async (url: string, headers?: Record<string, string>): Promise<string[]> =>
  keysOf(await browse.get(url, headers));

test('a program that adds presets to the old index itself is given no second entry that leads to a registration', async () => {
  const lyrion = {
    'user-agent': 'Mozilla/5.0 (Linux) SqueezeCenter, Squeezebox Server, Lyrion Music Server/9.0.0',
  };
  assert.equal((await keys('/Index.aspx?partnerId=demo')).at(-1), 'presets');
  assert.equal((await keys('/Index.aspx?partnerId=16')).at(-1), 'podcast');
  assert.equal((await keys('/Index.aspx', lyrion)).at(-1), 'podcast');
  assert.equal((await keys('/Index.aspx?partnerId=16&serial=x')).at(-1), 'presets');
  assert.equal((await keys('/Browse.ashx?partnerId=16')).at(-1), 'presets');
});

test('a place is not taken apart by place, whatever pivot is asked for', async () => {
  const plain = await browse.get('/Browse.ashx?id=r200233&filter=s');
  for (const pivot of ['country', 'location'])
    assert.equal(await browse.get(`/Browse.ashx?id=r200233&filter=s&pivot=${pivot}`), plain, pivot);
});

test('a place that does not exist is refused', async () => {
  assert.match(await browse.get('/Browse.ashx?id=r987654'), /<status>400</);
});

test('six menus may be asked for in one call, and no more', async () => {
  const six = ['index', 'best', 'popular', 'music', 'talk', 'sports'];
  assert.ok(linksOf(await browse.get(`/Browse.ashx?c=${six.join()}`)).length > 6);
  assert.match(await browse.get(`/Browse.ashx?c=${[...six, 'world'].join()}`), /<status>400</);
});

test('c=news is the category that radios know by its number', async () => {
  const [byName, byNumber] = await Promise.all(
    ['/Browse.ashx?c=news', '/Browse.ashx?id=c57922'].map((url) => browse.getSettled(url)),
  );
  assert.match(byName ?? '', /<title>News<\/title>/);
  assert.equal(byName, byNumber);
});

test('a partner who has arranged it gets groups of another size', async () => {
  const usual = await browse.get('/Browse.ashx?id=g1310&partnerId=maker');
  assert.deepEqual([stationsOf(usual).length, showCount(usual)], [11, 10]);
  const small = await browse.get('/Browse.ashx?id=g1310&partnerId=small');
  assert.deepEqual([stationsOf(small).length, showCount(small)], [4, 2]);
  const next = linksOf(small).filter((link) => link.includes('offset='));
  assert.deepEqual(
    next.map((link) => link.replace('&partnerId=small', '')),
    ['/Browse.ashx?offset=4&id=g1310&filter=s', '/Browse.ashx?offset=2&id=g1310&filter=p'],
  );
});

const countIn = async (query: string): Promise<number> =>
  stationsOf(await browse.get(`/Browse.ashx?id=g1000&filter=s${query}`)).length;

test('a device whose profile says so is given smaller groups, unless its partner says how large', async () => {
  assert.equal(await countIn(''), 50);
  assert.equal(await countIn('&device=esp32'), 25);
  assert.notEqual(await countIn('&device=esp32&partnerId=small'), 25);
});
