import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { ANN, type AppsApp, appsApp, feedOf } from '../../../test/apps/apps-app.ts';
import { addPreset } from '../../core/accounts/presets/save-preset.ts';
import { listSavedItems } from '../../core/accounts/presets/presets.ts';
import { METHODS } from './methods.ts';
import { subsonic } from './subsonic.ts';

let app: AppsApp;
before(async () => {
  app = await appsApp(subsonic);
});
after(() => app?.[Symbol.asyncDispose]());

type Params = Readonly<Record<string, string | readonly string[]>>;
const queryOf = (params: Params): string =>
  new URLSearchParams(
    Object.entries(params).flatMap(([name, value]) => [value].flat().map((each) => [name, each])),
  ).toString();
const login = (): Params => ({
  u: 'ann',
  t: hash('md5', `${app.passwords.ann}pepper`, 'hex'),
  s: 'pepper',
  v: '1.16.1',
  c: 'test',
});

async function raw(method: string, params: Params = {}, as: Params = login()) {
  return app.ask({ url: `/rest/${method}.view?${queryOf({ f: 'json', ...as, ...params })}` });
}
async function ask(method: string, params: Params = {}, as: Params = login()): Promise<any> {
  const { statusCode, body } = await raw(method, params, as);
  assert.equal(statusCode, 200, body);
  return JSON.parse(body)['subsonic-response'];
}
async function ok(method: string, params: Params = {}): Promise<any> {
  const answer = await ask(method, params);
  assert.equal(answer.status, 'ok', JSON.stringify(answer));
  return answer;
}
const codeOf = async (method: string, params: Params = {}, as?: Params): Promise<number | undefined> =>
  (await ask(method, params, as)).error?.code;
const saved = async (): Promise<string[]> =>
  [...(await listSavedItems(app.database.pool, ANN))].filter((id) => id !== 's999999').toSorted();

test('every way to sign in, and the numbers of what is wrong', async () => {
  const { ann, bo } = app.passwords;
  const enc = `enc:${Buffer.from(ann).toString('hex')}`;
  for (const as of [login(), { u: 'Ann', p: ann }, { u: 'ann', p: enc }, { apiKey: ann }])
    assert.equal((await ask('ping', {}, as)).status, 'ok', JSON.stringify(Object.keys(as)));
  assert.deepEqual(await ask('ping'), {
    status: 'ok',
    version: '1.16.1',
    type: 'longwave',
    serverVersion: (await ask('ping')).serverVersion,
    openSubsonic: true,
  });
  const wrong: [as: Params, code: number][] = [
    [{}, 10],
    [{ u: 'ann' }, 10],
    [{ u: 'ann', p: bo }, 40],
    [{ u: 'ann', p: 'enc:zz' }, 40],
    [{ ...login(), s: 'salt' }, 40],
    [{ u: 'nobody', p: ann }, 40],
    [{ u: 'ann', apiKey: ann }, 43],
    [{ apiKey: 'x' }, 44],
  ];
  for (const [as, code] of wrong) assert.equal(await codeOf('ping', {}, as), code, JSON.stringify(as));
  assert.deepEqual((await ask('getOpenSubsonicExtensions', {}, {})).openSubsonicExtensions, [
    { name: 'formPost', versions: [1] },
    { name: 'apiKeyAuthentication', versions: [1] },
  ]);
  const payload = queryOf({ ...login(), f: 'json' });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const posted = await app.ask({ url: '/rest/getUser', method: 'POST', payload, headers });
  assert.equal(JSON.parse(posted.body)['subsonic-response'].user.username, 'Ann');
  await using strict = await appsApp(subsonic, { legacyCredentials: false });
  const { body } = await strict.ask({ url: `/rest/ping?u=ann&p=${strict.passwords.ann}&f=json` });
  assert.equal(JSON.parse(body)['subsonic-response'].error.code, 50);
});

test('presets are internet radio stations; an address of a station is that station', async () => {
  const list = async () => (await ok('getInternetRadioStations')).internetRadioStations.internetRadioStation;
  const [first, own] = await list();
  assert.equal(first.id, 's1');
  assert.equal(first.streamUrl, 'http://radio.test/play/s1.mp3');
  assert.deepEqual([own.name, own.streamUrl], ['My stream', 'http://stream.example.net/mine?x=1']);
  const { rows } = await app.database.pool.query('SELECT address FROM streams WHERE station_id = 5 LIMIT 1');
  await ok('createInternetRadioStation', { streamUrl: rows[0].address, name: 'Five' });
  await ok('createInternetRadioStation', { streamUrl: 'https://radio.test/play/s6.mp3', name: 'Six' });
  await ok('createInternetRadioStation', {
    streamUrl: 'http://unknown.example.net/x',
    name: 'Elsewhere & co',
  });
  assert.deepEqual(await saved(), ['p101', 's1', 's5', 's6']);
  const [added] = (await list()).filter(({ name }: { name: string }) => name === 'Elsewhere & co');
  await ok('updateInternetRadioStation', {
    id: added.id,
    streamUrl: 'http://unknown.example.net/y',
    name: 'Y',
  });
  const [moved] = (await list()).filter(({ name }: { name: string }) => name === 'Y');
  assert.equal(moved.streamUrl, 'http://unknown.example.net/y');
  assert.equal((await raw('stream', { id: moved.id })).headers.location, 'http://unknown.example.net/y');
  await ok('deleteInternetRadioStation', { id: moved.id });
  await ok('deleteInternetRadioStation', { id: 's5' });
  assert.equal(await codeOf('deleteInternetRadioStation', { id: 's5' }), 70);
  assert.equal(
    await codeOf('updateInternetRadioStation', { id: 's1', streamUrl: 'http://x.example/', name: 'x' }),
    50,
  );
  assert.equal(await codeOf('createInternetRadioStation', { streamUrl: 'file:///etc/passwd', name: 'x' }), 0);
  assert.equal(await codeOf('createInternetRadioStation', { streamUrl: 'http://x.example/' }), 10);
  assert.equal((await list()).length, 3);
});

test('an address that is changed stays on its number of its folder, and one that cannot be changed as it was', async () => {
  const { pool } = app.database;
  const rows = async () =>
    (await pool.query('SELECT * FROM presets WHERE account_id = $1 ORDER BY id', [ANN])).rows;
  const folder = 2 * 1024 + ANN;
  const add = (n: number) =>
    addPreset(pool, ANN, folder, { kind: 'u', address: `http://mine.example.net/${n}`, label: `Mine ${n}` });
  await add(1);
  await add(2);
  const were = await rows();
  const own = were.find(({ address }) => address === 'http://mine.example.net/1');
  const update = (streamUrl: string, name = 'Other', id = `u${own.id}`) =>
    ask('updateInternetRadioStation', { id, streamUrl, name });

  for (const bad of ['mine.example.net/other', 'http://mine.example.net/other one', 'file:///etc/passwd'])
    assert.equal((await update(bad)).error.code, 0, bad);
  assert.match((await update('http://mine.example.net/2')).error.message, /saved in that folder already/);
  assert.equal((await update('http://mine.example.net/3', 'Other', 'u999')).error.code, 70);
  assert.deepEqual(await rows(), were);

  const assertOnly = async (change: object): Promise<void> =>
    assert.deepEqual(
      await rows(),
      were.map((row) => (row === own ? { ...row, ...change } : row)),
    );
  assert.equal((await update('http://mine.example.net/other')).status, 'ok');
  await assertOnly({ address: 'http://mine.example.net/other', label: 'Other' });
  assert.equal((await update('http://mine.example.net/other', 'Again')).status, 'ok');
  await assertOnly({ address: 'http://mine.example.net/other', label: 'Again' });
  assert.equal((await update('http://radio.test/play/s7.mp3')).status, 'ok');
  const { name } = (await ok('getInternetRadioStations')).internetRadioStations.internetRadioStation.find(
    ({ id }: { id: string }) => id === 's7',
  );
  await assertOnly({ kind: 's', item_id: 7, address: null, label: name });
  await ok('deleteInternetRadioStation', { id: 's7' });
});

test('podcasts are the shows among presets, with episodes that play', async () => {
  const list = async (params: Params = {}) => (await ok('getPodcasts', params)).podcasts.channel ?? [];
  const [channel] = await list();
  assert.deepEqual([channel.id, channel.url, channel.status], ['p101', feedOf(101), 'completed']);
  assert.equal(channel.episode.length, 60);
  const [episode] = channel.episode;
  assert.deepEqual(
    [episode.title, episode.streamId, episode.channelId, episode.status, episode.duration],
    ['Topic 60', episode.id, 'p101', 'completed', 3600],
  );
  const played = await raw('stream', { id: episode.streamId });
  assert.deepEqual([played.statusCode, played.headers.location], [302, 'http://topic.example.net/60.mp3']);
  assert.equal((await ok('getPodcastEpisode', { id: episode.id })).podcastEpisode.title, 'Topic 60');
  assert.equal((await list({ includeEpisodes: 'false' }))[0].episode, undefined);
  assert.equal((await ok('getNewestPodcasts', { count: '5' })).newestPodcasts.episode.length, 5);
  await ok('createPodcastChannel', { url: feedOf(102) });
  await ok('createPodcastChannel', { url: 'https://elsewhere.example.org/feed' });
  assert.ok((await saved()).includes('p102'));
  const all = await list();
  assert.deepEqual(
    all.map(({ status }: { status: string }) => status),
    ['completed', 'completed', 'skipped'],
  );
  await ok('deletePodcastChannel', { id: 'p102' });
  await ok('deletePodcastChannel', { id: all[2].id });
  assert.equal((await list()).length, 1);
  assert.ok(!(await saved()).includes('p102'));
  assert.equal(await codeOf('deletePodcastChannel', { id: 'p102' }), 70);
  assert.equal(await codeOf('getPodcasts', { id: 'p102' }), 70);
  assert.equal(await codeOf('createPodcastChannel', { url: 'x' }), 0);
});

const found = async (params: Params) => (await ok('search3', params)).searchResult3;

test('search finds stations as songs and shows as albums, in pages', async () => {
  const { song, album } = await found({ query: 'evening', songCount: '2' });
  assert.ok(album.some(({ id }: { id: string }) => id === 'p101'));
  const jazz = await found({ query: 'jazz', songCount: '500' });
  assert.ok(jazz.song.length > 2, JSON.stringify(song));
  for (const field of [
    'id',
    'title',
    'size',
    'suffix',
    'duration',
    'type',
    'isDir',
    'contentType',
    'parent',
    'albumId',
  ])
    assert.ok(field in jazz.song[0], field);
  const page = await found({ query: 'jazz', songCount: '2', songOffset: '1' });
  assert.deepEqual(page.song, jazz.song.slice(1, 3));
  assert.deepEqual(await found({ query: '""' }), { song: [], album: [] });
  const { location } = (await raw('stream', { id: jazz.song[0].id })).headers;
  assert.equal(location, `http://radio.test/play/${jazz.song[0].id}.mp3`);
});

test('an app that knows music only browses genres, places and presets', async () => {
  const { index } = (await ok('getArtists')).artists;
  const artists = index.flatMap(({ artist }: { artist: { id: string }[] }) => artist);
  const seen = new Set<string>();
  for (const { id } of artists) {
    const { artist } = await ok('getArtist', { id });
    for (const { id: albumId } of artist.album ?? []) {
      const { album, error } = await ask('getAlbum', { id: albumId });
      for (const song of album?.song ?? []) seen.add(song.id);
      if (error) assert.equal(error.code, 70);
    }
  }
  assert.ok(seen.size > 30, `only ${seen.size} stations`);
  const { directory } = await ok('getMusicDirectory', { id: '1' });
  assert.deepEqual(
    directory.child.map(({ id }: { id: string }) => id).toSorted(),
    artists.map(({ id }: { id: string }) => id).toSorted(),
  );
  const { playlist } = (await ok('getPlaylists')).playlists;
  assert.deepEqual(
    playlist.map(({ name }: { name: string }) => name),
    ['General', 'Küche & Bad', 'Empty one'],
  );
  const { entry } = (await ok('getPlaylist', { id: playlist[0].id })).playlist;
  assert.ok(entry.some(({ id }: { id: string }) => id === 's1'));
  const albums = (await ok('getAlbumList2', { type: 'newest', size: '500' })).albumList2.album;
  assert.equal(albums[0].id, playlist[0].id);
  assert.equal((await ok('getAlbum', { id: 'p101' })).album.song.length, 60);
  const { genre } = (await ok('getGenres')).genres;
  assert.ok(
    (await ok('getSongsByGenre', { genre: genre[0].value, count: '3' })).songsByGenre.song.length > 0,
  );
  assert.equal((await ok('getSong', { id: 's1' })).song.title, 'Harbour Folk');
});

test('stars are presets', async () => {
  await ok('star', { id: ['s2', 's3'], albumId: 'p105' });
  assert.deepEqual(
    (await saved()).filter((id) => ['s2', 's3', 'p105'].includes(id)),
    ['p105', 's2', 's3'],
  );
  const { starred2 } = await ok('getStarred2');
  assert.ok(starred2.song.some(({ id }: { id: string }) => id === 's3'));
  assert.ok(starred2.album.some(({ id }: { id: string }) => id === 'p105'));
  await ok('unstar', { id: ['s2', 's3'], albumId: 'p105' });
  assert.equal(await codeOf('unstar', { id: 's2' }), 70);
  assert.equal(await codeOf('star', { id: 'x' }), 70);
});

test('a picture is a redirect to the next larger logo', async () => {
  for (const [size, letter] of [
    ['', 'd'],
    ['50', 't'],
    ['145', 'q'],
    ['301', 'g'],
    ['9000', 'g'],
  ])
    assert.equal(
      (await raw('getCoverArt', { id: 's1', ...(size && { size }) })).headers.location,
      `http://radio.test/logos/s1${letter}.png`,
    );
  assert.equal(await codeOf('getCoverArt', { id: '../x' }), 70);
});

test('every method is well-formed XML, JSON and JSONP, and says the same', async () => {
  const params = {
    id: 's1',
    query: 'a',
    genre: 'Jazz',
    url: feedOf(101),
    name: 'x',
    streamUrl: 'http://radio.test/play/s1.mp3',
  };
  for (const method of METHODS.keys()) {
    const xml = await raw(method, { ...params, f: 'xml' });
    if (xml.statusCode === 302) continue;
    const { status, stderr } = spawnSync('xmllint', ['--noout', '-'], { input: xml.body, encoding: 'utf8' });
    assert.equal(status, 0, `${method}: ${stderr}`);
    assert.match(
      xml.body,
      /^<\?xml .*\n<subsonic-response xmlns="http:\/\/subsonic\.org\/restapi" status="(?:ok|failed)"/,
    );
    const jsonp = await raw(method, { ...params, f: 'jsonp', callback: 'a.b' });
    assert.match(jsonp.body, /^a\.b\(\{.*\}\);$/s);
  }
  const { body } = await raw('ping', { f: 'jsonp', callback: 'alert(1)//' });
  assert.match(body, /^<\?xml/);
  assert.match((await raw('getPlaylists', { f: 'xml' })).body, /<playlist [^>]*name="Küche &amp; Bad"/);
  assert.match(
    (await raw('getGenres', { f: 'xml' })).body,
    /<genre songCount="\d+" albumCount="1">[^<]+<\/genre>/,
  );
  assert.equal(await codeOf('nothing'), 0);
  assert.equal(await codeOf('constructor'), 0);
});

test('no password is in a log', () => {
  const log = app.logLines.join('\n');
  for (const secret of [...Object.values(app.passwords), String(login()['t'])])
    assert.ok(!log.includes(secret));
});
