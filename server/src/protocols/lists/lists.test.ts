import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import { type ListsApp, listsApp } from '../../../test/apps/lists-app.ts';
import { addListToken, MAX_LIST_TOKENS, removeListTokens } from '../../core/accounts/list-tokens.ts';
import type { DirectoryStation } from '../../core/directory/snapshot/snapshot.ts';

let app: ListsApp;
before(async () => {
  app = await listsApp();
});
after(() => app?.[Symbol.asyncDispose]());

const text = async (path: string, headers?: Record<string, string>): Promise<string> => {
  const { statusCode, body } = await app.ask(path, headers);
  assert.equal(statusCode, 200, body);
  return body;
};
const idsIn = (body: string): string[] => [...body.matchAll(/tvg-id="(\w+)"/g)].map(([, id = '']) => id);
const stationsWhere = (isWanted: (station: DirectoryStation) => boolean): string[] =>
  app
    .snapshot()
    .stations.filter(isWanted)
    .map(({ id }) => `s${id}`);

test('a station in M3U: attributes for Kodi, the play address, the guide', async () => {
  assert.equal(
    await text('/lists/s1.m3u'),
    [
      '#EXTM3U x-tvg-url="http://radio.test/lists/s1.xml"',
      '#PLAYLIST:Harbour Folk',
      '#EXTINF:-1 tvg-id="s1" tvg-name="Harbour Folk" tvg-logo="http://radio.test/logos/s1q.png" group-title="Celtic & Irish;Ireland" radio="true",Harbour Folk',
      'http://radio.test/play/s1.mp3',
      '',
    ].join('\n'),
  );
  assert.match(await text('/lists/s1.m3u', { 'accept-language': 'de' }), /group-title="[^";]+;Irland"/);
});

test('the other formats have the same station, with their types', async () => {
  for (const [format, type, has] of [
    ['m3u', 'audio/x-mpegurl', /\nhttp:\/\/radio\.test\/play\/s1\.mp3\n/],
    ['m3u8', 'audio/x-mpegurl', /\nhttp:\/\/radio\.test\/play\/s1\.mp3\n/],
    ['pls', 'audio/x-scpls', /File1=http:\/\/radio\.test\/play\/s1\.mp3\nTitle1=Harbour Folk\n/],
    [
      'xspf',
      'application/xspf+xml',
      /<location>http:\/\/radio\.test\/play\/s1\.mp3<.*<image>http:\/\/radio\.test\/logos\/s1q\.png</,
    ],
    [
      'opml',
      'text/x-opml; charset=utf-8',
      /<outline type="audio" text="Harbour Folk" URL="http:\/\/radio\.test\/play\/s1\.mp3"/,
    ],
    ['xml', 'application/xml; charset=utf-8', /<channel id="s1"><display-name>Harbour Folk</],
  ] as const) {
    const { headers, body, statusCode } = await app.ask(`/lists/s1.${format}`);
    assert.equal(statusCode, 200, body);
    assert.equal(headers['content-type'], type);
    assert.match(body, has);
    if (body.startsWith('<?xml')) xmllint(body);
  }
});

const xmllint = (body: string, ...args: string[]): void => {
  const { status, stderr } = spawnSync('xmllint', ['--noout', '--nonet', ...args, '-'], {
    input: body,
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
};

test('lists of a genre, a country, a place, a language and a network have their stations', async () => {
  const { genreById, regionById, languageById, families } = app.snapshot();
  assert.ok(families);
  const genre = [...genreById.values()].find(({ slug }) => slug === 'jazz') ?? assert.fail();
  const jazz = [...genre.ranks].map((rank) => `s${app.snapshot().stations[rank]?.id}`);
  assert.ok(jazz.length > 1);
  assert.deepEqual(idsIn(await text('/lists/jazz.m3u')), jazz);
  assert.deepEqual(idsIn(await text(`/lists/g${genre.id}.m3u`)), jazz);
  const irish = stationsWhere(({ countryCode }) => countryCode === 'IE');
  assert.deepEqual(idsIn(await text('/lists/ie.m3u')), irish);
  assert.deepEqual(idsIn(await text('/LISTS//IE.M3U')), irish);
  const cork =
    [...regionById.values()].find(({ name, kind }) => name === 'Cork' && kind === 'city') ?? assert.fail();
  assert.deepEqual(
    new Set(idsIn(await text(`/lists/r${cork.id}.m3u`))),
    new Set(stationsWhere(({ regionId }) => regionId === cork.id)),
  );
  const [language] = [...languageById.values()].filter(({ code }) => code === 'de');
  assert.ok(idsIn(await text(`/lists/l${language?.id}.m3u`)).length > 1);
  assert.deepEqual(new Set(idsIn(await text('/lists/a1.m3u'))), new Set(['s1', 's2', 's3']));
});

test('a search finds stations, and in OPML shows as feeds', async () => {
  assert.ok(idsIn(await text('/lists/search.m3u?query=harbour')).includes('s1'));
  const opml = await text('/lists/search.opml?q=evening');
  assert.match(opml, /<outline type="rss" text="Evening 1" xmlUrl="http:\/\/radio\.test\/lists\/p101\.rss"/);
  assert.doesNotMatch(await text('/lists/search.m3u?q=evening'), /p101/);
  assert.match(
    await text('/lists/search.m3u?query=a%26b%20%22c'),
    /x-tvg-url="http:\/\/radio\.test\/lists\/search\.xml\?query=a%26b\+%22c"/,
  );
  assert.equal((await app.ask('/lists/search.m3u')).statusCode, 400);
  assert.equal((await app.ask(`/lists/search.m3u?query=${'x'.repeat(201)}`)).statusCode, 400);
});

test('pages follow each other without a gap', async () => {
  const all = idsIn(await text('/lists/music.m3u'));
  assert.ok(all.length > 10);
  const found: string[] = [];
  let next: string | undefined = '/lists/music.m3u?limit=7';
  while (next !== undefined) {
    const { body, headers }: Awaited<ReturnType<ListsApp['ask']>> = await app.ask(next);
    found.push(...idsIn(body));
    next = /^<http:\/\/radio\.test([^>]+)>; rel="next"$/.exec(String(headers['link'] ?? ''))?.[1];
  }
  assert.deepEqual(found, all);
  for (const wrong of ['limit=0', 'limit=-1', 'limit=x', 'offset=1.5', 'offset='])
    assert.equal((await app.ask(`/lists/music.m3u?${wrong}`)).statusCode, 400, wrong);
  assert.deepEqual(idsIn(await text('/lists/music.m3u?offset=999999999')), []);
});

test('the guide has the broadcasts of the stations, valid by the DTD', async () => {
  const guide = await text('/lists/a1.xml');
  xmllint(guide, '--dtdvalid', '/usr/share/xmltv/xmltv.dtd');
  assert.match(
    guide,
    /<programme start="20260328120000 \+0000" stop="20260328130000 \+0000" channel="s1"><title>Evening 1<\/title><desc>An hour of old songs, number 1<\/desc><category>Folk &amp; Singer-Songwriter<\/category><\/programme>/,
  );
  assert.match(guide, /start="20260328090000 \+0000"/);
  assert.doesNotMatch(guide, /start="20260328080000 \+0000"/, 'what ended more than three hours ago');
  assert.match(guide, /channel="s2"><title>Morning Desk/);
  assert.ok(guide.indexOf('<programme') > guide.lastIndexOf('<channel'));
  xmllint(await text('/lists/s5.xml'), '--dtdvalid', '/usr/share/xmltv/xmltv.dtd');
});

test('a show is a feed whose enclosures are its topics, the newest first', async () => {
  const { body, headers } = await app.ask('/lists/p101.rss');
  assert.equal(headers['content-type'], 'application/rss+xml; charset=utf-8');
  xmllint(body);
  assert.equal([...body.matchAll(/<enclosure /g)].length, 60);
  assert.match(
    body,
    /<item><title>Topic 60<\/title>.*?<enclosure url="http:\/\/topic\.example\.net\/60\.mp3" length="0" type="audio\/mpeg"\/><itunes:duration>3600</,
  );
  for (const path of ['p122.rss', 'p999.rss', 's1.rss', 'jazz.rss', 'search.rss?q=x'])
    assert.equal((await app.ask(`/lists/${path}`)).statusCode, 404, path);
});

test('what does not exist is refused with what to do', async () => {
  for (const [path, reason] of [
    ['/lists/', /named like/],
    ['/lists/jazz', /named like/],
    ['/lists/jazz.doc', /end in one of/],
    ['/lists/nothing.m3u', /no list nothing/],
    ['/lists/r0.m3u', /too large/],
    ['/lists/p101.m3u', /no list p101/],
    ['/lists/s999999.m3u', /no list s999999/],
    ['/lists/presets.m3u', /no list presets/],
    ['/lists/x/jazz.m3u', /named like/],
    ['/lists/constructor.m3u', /no list constructor/],
  ] as const) {
    const { statusCode, body } = await app.ask(path);
    assert.equal(statusCode, 404, path);
    assert.match(body, reason);
  }
});

test('who has a list already gets none of it again', async () => {
  const first = await app.ask('/lists/jazz.m3u');
  const [etag, modified] = [String(first.headers['etag']), String(first.headers['last-modified'])];
  assert.match(etag, /^"[\w-]{22}"$/);
  assert.equal(Date.parse(modified), Math.floor(app.snapshot().changedAt.epochMilliseconds / 1000) * 1000);
  const status = async (headers: Record<string, string>): Promise<number> =>
    (await app.ask('/lists/jazz.m3u', headers)).statusCode;
  assert.equal(await status({ 'if-none-match': etag }), 304);
  assert.equal(await status({ 'if-modified-since': modified }), 304);
  assert.equal(await status({ 'if-none-match': '"other"', 'if-modified-since': modified }), 200);
  assert.equal(await status({ 'if-modified-since': 'Thu, 01 Jan 2099 00:00:00 GMT' }), 200);
  const head = await app.ask('/lists/jazz.m3u', {}, 'HEAD');
  assert.equal(head.headers['content-length'], String(first.rawPayload.length));
});

test('a list that is kept is renewed with the directory', async () => {
  const { pool } = app.database;
  const first = await text('/lists/s4.m3u');
  assert.equal(await text('/lists/s4.m3u'), first);
  await pool.query("UPDATE stations SET name = 'Renamed FM' WHERE id = 4");
  await pool.query('UPDATE catalogue SET version = version + 1, changed_at = now()');
  await app.refresh();
  assert.match(await text('/lists/s4.m3u'), /,Renamed FM\n/);
});

test('presets are read by a secret address until it is revoked, and only a hash of it is kept', async () => {
  const { pool } = app.database;
  const token = (await addListToken(pool, 7)) ?? assert.fail();
  const path = `/lists/${token}/presets`;
  const { body, headers } = await app.ask(`${path}.m3u`);
  assert.deepEqual(idsIn(body), ['s1', `u${3 * 1024 + 7}`], body);
  assert.match(body, /group-title="General" tvg-chno="1"/);
  assert.match(body, /\nhttp:\/\/stream\.example\.net\/mine\?x=1\n/);
  assert.match(body, new RegExp(`x-tvg-url="http://radio.test${path}.xml"`));
  assert.equal(headers['cache-control'], 'private, max-age=0');
  assert.match((await app.ask(`${path}.opml`)).body, /xmlUrl="http:\/\/radio\.test\/lists\/p101\.rss"/);
  assert.match((await app.ask(`${path}.xml`)).body, /channel="s1"><title>Evening 1</);
  const kept = await pool.query('SELECT list_tokens::text AS row FROM list_tokens');
  assert.ok(!JSON.stringify(kept.rows).includes(token.slice(4)));
  assert.ok(!app.logLines.some((line) => line.includes(token)));

  const other = (await addListToken(pool, 8)) ?? assert.fail();
  assert.deepEqual(idsIn((await app.ask(`/lists/${other}/presets.m3u`)).body), ['s2']);
  const refusal = await app.ask(`/lists/lwl_${'A'.repeat(32)}/presets.m3u`);
  assert.equal(refusal.statusCode, 404);
  const isRefused = async (what: string): Promise<void> => {
    const { statusCode, body: said } = await app.ask(`${path}.m3u`);
    assert.deepEqual([statusCode, said], [404, refusal.body], what);
  };
  await pool.query('UPDATE accounts SET closed_at = now() WHERE id = 7');
  await isRefused('closed');
  await pool.query('UPDATE accounts SET closed_at = NULL WHERE id = 7');
  assert.equal((await app.ask(`${path}.m3u`)).statusCode, 200);
  assert.equal((await app.ask(`${path.toUpperCase()}.m3u`)).statusCode, 404, 'a secret in another case');
  assert.equal(await removeListTokens(pool, 7), 1);
  await isRefused('revoked');
  assert.equal((await app.ask(`/lists/${other}/presets.m3u`)).statusCode, 200);
  const all = await Promise.all(Array.from({ length: MAX_LIST_TOKENS + 5 }, () => addListToken(pool, 9)));
  assert.equal(all.filter((made) => made !== undefined).length, MAX_LIST_TOKENS, 'asked for all at once');
});

test('a guide of many stations gives each an equal share and ends', async () => {
  const { pool } = app.database;
  await pool.query(`INSERT INTO broadcasts (station_id, starts_at, ends_at, show_id)
    SELECT s.id, timestamptz '2026-03-28 12:00Z' + n * interval '5 minutes', timestamptz '2026-03-28 12:05Z' + n * interval '5 minutes', 120
    FROM (SELECT id FROM stations WHERE id > 2) s, generate_series(0, 800) n ON CONFLICT DO NOTHING`);
  app.clock.advance({ hours: 1 });
  const guide = await text('/lists/music.xml');
  const counts = Map.groupBy(guide.matchAll(/<programme [^>]*channel="(\w+)"/g), ([, id]) => id);
  const total = [...counts.values()].reduce((sum, { length }) => sum + length, 0);
  assert.ok(total > 15_000 && total <= 20_000 + counts.size, `${total}`);
  const lengths = [...counts].filter(([id]) => id !== 's1' && id !== 's2').map(([, { length }]) => length);
  assert.equal(new Set(lengths).size, 1, lengths.join(' '));
});
