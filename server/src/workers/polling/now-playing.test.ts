import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type TestDatabase, testDatabase } from '../../../test/database/database.ts';
import { type SongServer, page, startSongServer, stream } from '../../../test/servers/song-server.ts';
import type { DueJob } from '../runner/due-job.ts';
import { systemClock } from '../../lib/clock.ts';
import { SafeFetcher } from '../../net/fetch/fetch-safely.ts';
import { operatorsChoice } from '../../net/fetch/policy.ts';
import { createLog } from '../../lib/log.ts';
import { MemoryStore } from '../../core/now-playing/memory-store.ts';
import type { Song, StationSong } from '../../core/now-playing/song.ts';
import type { StationUpdate } from '../../core/now-playing/store.ts';
import { type DuePoll, nowPlayingJob } from './now-playing.ts';

/** Remembers what it was told, and when stations were said to be due. */
class WatchedStore extends MemoryStore {
  readonly said: StationUpdate[] = [];

  override async publish(said: readonly StationUpdate[]): Promise<void> {
    this.said.push(...said);
    await super.publish(said);
  }
}

let database: TestDatabase;
let server: SongServer;
let store: WatchedStore;
let kept: StationSong[];
let job: DueJob<DuePoll>;
before(async () => {
  database = await testDatabase();
  await database.pool.query(
    "INSERT INTO stations (id, name, name_key) SELECT n, 'Station ' || n, 'station ' || n FROM generate_series(1, 50) n",
  );
});
after(() => database[Symbol.asyncDispose]());
beforeEach(async () => {
  await database.pool.query('TRUNCATE streams CASCADE');
  server = await startSongServer();
  store = new WatchedStore();
  kept = [];
  job = nowPlayingJob(
    {
      store,
      db: database.pool,
      fetcher: new SafeFetcher({ policy: operatorsChoice }),
      clock: systemClock,
      log: createLog({ level: 'silent' }),
      chance: () => 0,
      keep: async (songs) => void kept.push(...songs),
    },
    { concurrency: 10 },
  );
});

afterEach(() => server[Symbol.asyncDispose]());

async function addStream(stationId: number, path: string, reliability = 50): Promise<void> {
  await database.pool.query(
    `INSERT INTO streams (station_id, address, address_key, reliability) VALUES ($1, $2, gen_random_uuid(), $3)`,
    [stationId, path.startsWith('http') ? path : `${server.origin}${path}`, reliability],
  );
}

const signals = { stopping: new AbortController().signal, cut: new AbortController().signal };

/** Asks these stations now, whether or not it is their time; gives the outcomes. */
async function poll(...stationIds: number[]): Promise<string[]> {
  await store.publish(stationIds.map((stationId) => ({ stationId, heard: 'unheard', dueInMs: -1 })));
  await store.ask(stationIds);
  const due = await job.claim(100);
  assert.deepEqual(new Set(due.map(({ stationId }) => stationId)), new Set(stationIds));
  store.said.length = 0;
  return Promise.all(due.map((row) => job.work(row, signals)));
}

const songOf = async (stationId: number): Promise<Song | undefined> =>
  (await store.songs([stationId])).get(stationId);
const dueIn = (stationId: number): number | undefined =>
  store.said.find((said) => said.stationId === stationId)?.dueInMs;
const timesAsked = (path: string): number => server.asked.get(path) ?? 0;

test('the title in a stream is its song, kept as long as it is the same', async () => {
  let title = 'The Example Duo - First Light';
  server.answers.set(
    '/live',
    stream(() => title),
  );
  await addStream(1, '/live');
  assert.deepEqual(await poll(1), ['new']);
  const first = await songOf(1);
  assert.deepEqual(
    { ...first, startedAt: 0, heardAt: 0 },
    { artist: 'The Example Duo', title: 'First Light', source: 'icy', startedAt: 0, heardAt: 0 },
  );
  assert.equal(dueIn(1), 22_000, 'a song that has just begun goes on for a while');
  await sleep(5);
  assert.deepEqual(await poll(1), ['same']);
  assert.equal((await songOf(1))?.startedAt, first?.startedAt);
  assert.ok(((await songOf(1))?.heardAt ?? 0) > (first?.heardAt ?? 0));
  title = "It's a 'quoted' one";
  assert.deepEqual(await poll(1), ['new']);
  assert.equal((await songOf(1))?.title, "It's a 'quoted' one");
  title = '';
  assert.deepEqual(await poll(1), ['nothing']);
  assert.equal(await songOf(1), undefined);
  assert.deepEqual(
    kept.map(({ stationId, song }) => [stationId, song.title]),
    [
      [1, 'First Light'],
      [1, "It's a 'quoted' one"],
    ],
    'each is written down once',
  );
});

test('a server that tells what it plays is asked for that, once for all its stations, and its sound no more', async () => {
  const songs = new Map(Array.from({ length: 20 }, (_, n) => [`/mount${n + 1}`, `Artist ${n + 1} - One`]));
  for (const [path] of songs) {
    server.answers.set(
      path,
      stream(() => songs.get(path), { server: 'Icecast 2.4.4' }),
    );
    await addStream(Number(path.slice(6)), path);
  }
  const listing = () =>
    [...songs].map(([path, title]) => ({ listenurl: `http://elsewhere:8000${path}`, title }));
  server.answers.set(
    '/status-json.xsl',
    page(() => JSON.stringify({ icestats: { source: listing() } })),
  );
  const ids = [...songs].map((_, n) => n + 1);
  await poll(...ids);
  assert.equal(timesAsked('/status-json.xsl'), 0);
  for (const path of songs.keys()) songs.set(path, `${songs.get(path)} and two`);
  assert.deepEqual(new Set(await poll(...ids)), new Set(['new']));
  assert.equal(timesAsked('/status-json.xsl'), 1);
  for (const path of songs.keys()) assert.equal(timesAsked(path), 1, path);
  const song = await songOf(7);
  assert.deepEqual([song?.artist, song?.title, song?.source], ['Artist 7', 'One and two', 'icecast']);
});

test('a server that does not tell of a stream is not asked again; the stream is listened to', async () => {
  server.answers.set(
    '/live',
    stream(() => 'A - B', { server: 'Icecast 2.4.4' }),
  );
  server.answers.set(
    '/status-json.xsl',
    page(() => '{"icestats":{"source":{"listenurl":"http://x/other","title":"C"}}}'),
  );
  await addStream(1, '/live');
  for (const _ of [1, 2, 3, 4]) await poll(1);
  assert.equal((await songOf(1))?.source, 'icy');
  assert.equal(timesAsked('/status-json.xsl'), 1);
  assert.equal(timesAsked('/live'), 4);
});

test('AzuraCast tells when a song ends, and is asked again then', async () => {
  const began = Math.floor(Date.now() / 1000) - 100;
  const song = {
    title: 'First Light',
    artist: 'The Example Duo',
    album: 'Dawn',
    art: 'https://art.example/1.jpg',
  };
  server.answers.set(
    '/api/nowplaying/town.fm',
    page(() => JSON.stringify({ now_playing: { song, played_at: began, duration: 130 } })),
  );
  await addStream(1, '/listen/town.fm/radio.mp3');
  assert.deepEqual(await poll(1), ['new']);
  const heard = await songOf(1);
  assert.deepEqual(
    [heard?.source, heard?.album, heard?.artAddress, heard?.startedAt, heard?.endsAt],
    ['azuracast', 'Dawn', 'https://art.example/1.jpg', began * 1000, (began + 130) * 1000],
  );
  const due = dueIn(1) ?? 0;
  assert.ok(due > 28_000 && due <= 31_500, String(due));
  assert.equal(timesAsked('/listen/town.fm/radio.mp3'), 0, 'nobody listened');
});

test('what looks like AzuraCast and is not is listened to', async () => {
  server.answers.set(
    '/listen/town/radio.mp3',
    stream(() => 'A - B'),
  );
  await addStream(1, '/listen/town/radio.mp3');
  assert.deepEqual(await poll(1), ['new']);
  assert.equal((await songOf(1))?.source, 'icy');
});

test('SHOUTcast tells in a page of its own', async () => {
  const notice = { 'icy-notice2': 'SHOUTcast DNAS/posix(linux x64) v2.6.1.777<BR>' };
  server.answers.set(
    '/stream/2/',
    stream(() => 'A - B', notice),
  );
  server.answers.set(
    '/stats?sid=2&json=1',
    page(() => '{"songtitle":"C - D"}'),
  );
  server.answers.set(
    '/;',
    stream(() => 'A - B', { 'icy-notice2': 'SHOUTcast Distributed Network Audio Server/Linux v1.9.8<BR>' }),
  );
  server.answers.set(
    '/7.html',
    page(() => '<html><body>1,1,5,100,1,128,E - F, live</body></html>', 'text/html'),
  );
  await addStream(1, '/stream/2/');
  await addStream(2, '/;');
  await poll(1, 2);
  await poll(1, 2);
  assert.deepEqual([(await songOf(1))?.title, (await songOf(1))?.source], ['D', 'shoutcast']);
  assert.deepEqual([(await songOf(2))?.title, (await songOf(2))?.source], ['F, live', 'shoutcast']);
});

test('the way to a stream through playlists and redirects is gone once', async () => {
  server.answers.set(
    '/live',
    stream(() => 'A - B'),
  );
  server.answers.set(
    '/list.m3u',
    page(() => `${server.origin}/live\n`, 'audio/x-mpegurl'),
  );
  server.answers.set(
    '/start',
    (_, response) => void response.writeHead(302, { location: '/list.m3u' }).end(),
  );
  await addStream(1, '/start');
  await poll(1);
  await poll(1);
  assert.deepEqual(['/start', '/list.m3u', '/live'].map(timesAsked), [1, 1, 2]);
  server.answers.delete('/live');
  assert.deepEqual(await poll(1), ['unheard']);
  server.answers.set(
    '/live',
    stream(() => 'A - C'),
  );
  assert.deepEqual(await poll(1), ['new'], 'what is gone is looked for from the beginning');
  assert.equal(timesAsked('/start'), 2);
});

const list = (inf: string): string => `#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,${inf}\n`;
test('HLS names its song in a tag before the sound, or in its playlist', async () => {
  const text = Buffer.from('\x03First Light');
  const frame = Buffer.concat([Buffer.from('TIT2'), Buffer.from([0, 0, 0, text.length, 0, 0]), text]);
  const tag = Buffer.concat([Buffer.from('ID3'), Buffer.from([4, 0, 0, 0, 0, 0, frame.length]), frame]);
  server.answers.set(
    '/a.aac',
    page(() => Buffer.concat([tag, Buffer.alloc(2000, 0xff)]), 'audio/aac'),
  );
  server.answers.set(
    '/b.aac',
    page(() => Buffer.alloc(2000, 0xff), 'audio/aac'),
  );
  server.answers.set(
    '/a.m3u8',
    page(() => `${list('')}a.aac\n`, 'application/vnd.apple.mpegurl'),
  );
  server.answers.set(
    '/b.m3u8',
    page(() => `${list('title="Dawn",artist="Duo"')}b.aac\n`, 'application/vnd.apple.mpegurl'),
  );
  await addStream(1, '/a.m3u8');
  await addStream(2, '/b.m3u8');
  assert.deepEqual(await poll(1, 2), ['new', 'new']);
  assert.deepEqual([(await songOf(1))?.title, (await songOf(1))?.source], ['First Light', 'hls']);
  assert.deepEqual([(await songOf(2))?.title, (await songOf(2))?.artist], ['Dawn', 'Duo']);
});

test('of a station whose best stream says nothing the next one is asked, and none when all are mute', async () => {
  server.answers.set(
    '/mute',
    stream(() => undefined),
  );
  server.answers.set(
    '/live',
    stream(() => 'A - B'),
  );
  await addStream(1, '/mute', 90);
  await addStream(1, '/live', 60);
  await addStream(2, '/mute', 90);
  assert.deepEqual(await poll(1, 2), ['mute', 'mute']);
  assert.equal(dueIn(1), 1000);
  assert.deepEqual(await poll(1, 2), ['new', 'mute']);
  assert.equal(dueIn(2), 600_000);
  assert.equal(timesAsked('/mute'), 2);
  assert.deepEqual(await poll(3), ['mute'], 'a station without streams');
});

test('one that does not answer is left alone longer and longer, keeps its song, and another stream stands in', async () => {
  server.answers.set(
    '/live',
    stream(() => 'A - B'),
  );
  await addStream(1, '/live', 90);
  await poll(1);
  server.answers.delete('/live');
  const pauses: (number | undefined)[] = [];
  for (const _ of [1, 2, 3]) {
    assert.deepEqual(await poll(1), ['unheard']);
    pauses.push(dueIn(1));
  }
  assert.deepEqual(pauses, [10_000, 20_000, 40_000]);
  assert.equal((await songOf(1))?.title, 'B');
  server.answers.set(
    '/second',
    stream(() => 'C - D'),
  );
  await addStream(1, '/second', 10);
  assert.deepEqual(await poll(1), ['new']);
  assert.equal((await songOf(1))?.title, 'D');
});

test('a stream that leaves the place for its titles empty is given up after a while, and asked once in ten minutes', async () => {
  let title = '';
  server.answers.set(
    '/live',
    stream(() => title),
  );
  await addStream(1, '/live');
  for (const _ of [1, 2, 3, 4]) assert.deepEqual(await poll(1), ['nothing']);
  assert.deepEqual(await poll(1), ['mute']);
  assert.equal(dueIn(1), 600_000);
  assert.equal(timesAsked('/live'), 4);
  assert.deepEqual([await poll(1), await poll(1)], [['nothing'], ['mute']]);
  assert.equal(timesAsked('/live'), 5);
  title = 'A - B';
  assert.deepEqual(await poll(1), ['new'], 'the talk is over');
});
