import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { SoundTouch } from '../../../test/devices/soundtouch.ts';
import { startServer, type TestServer } from '../../../test/apps/http-server.ts';
import { type SeededDirectory, seededDirectory } from '../../../test/content/seeded-directory.ts';
import { Aliases } from '../../core/directory/lookup/by-any-id.ts';
import { StationStreams } from '../../core/streams/station-streams.ts';
import { refreshSearch } from '../../storage/catalog/search/refresh-search.ts';
import { soundTouch } from './soundtouch.ts';

const ROWS = join(import.meta.dirname, '../../../test/seed/beside-stations.sql');

let seeded: SeededDirectory;
let server: TestServer;
let speaker: SoundTouch;
before(async () => {
  seeded = await seededDirectory();
  const { pool } = seeded.database;
  await pool.query(readFileSync(ROWS, 'utf8'));
  await pool.query(
    "INSERT INTO aliases (kind, item_id, scheme, foreign_id) VALUES ('s', 1, 'tunein', 's24940')",
  );
  await refreshSearch(pool);
  const deps = {
    directory: seeded.directory,
    db: pool,
    aliases: new Aliases(pool),
    streams: new StationStreams(),
  };
  server = await startServer([], { protocols: soundTouch(deps), publicHosts: [] });
  speaker = new SoundTouch(server.origin);
  await speaker.boot();
});
after(async () => {
  await server?.[Symbol.asyncDispose]();
  await seeded?.[Symbol.asyncDispose]();
});

const json = async (path: string): Promise<{ status: number; said: any }> => {
  const response = await fetch(server.origin + path);
  const text = await response.text();
  return { status: response.status, said: response.status === 200 ? JSON.parse(text) : text };
};

test('the document of a station: what a preset of a speaker leads to', async () => {
  const { said } = await json('/bmx/station/s1');
  const stream = { bufferingTimeout: 20, connectingTimeout: 10, hasPlaylist: false, isRealtime: true };
  assert.equal(said.name, 'Harbour Folk');
  assert.equal(said.imageUrl, `${server.origin}/logos/s1q.png`);
  assert.deepEqual(said.audio.streams[0], {
    ...stream,
    streamUrl: 'http://stream.example.net/harbourfolk-128.mp3',
  });
});

test('an id that TuneIn gave leads to the station; one that nobody gave says so', async () => {
  assert.equal(await speaker.play('s24940'), await speaker.play('s1'));
  assert.equal((await json('/bmx/station/s999999')).status, 404);
  const { status, said } = await json('/bmx/nonsense');
  assert.equal(status, 404);
  assert.match(said, /\/bmx\/station\/s123/);
});

test('no speaker is sent to HLS, and each station it cannot play says so', async () => {
  const isHls = /\.m3u8/;
  for (const { id, streams } of seeded.directory.current().stations) {
    const { status, said } = await json(`/bmx/station/s${id}`);
    if (streams.every(({ format }) => format === 'hls')) {
      assert.equal(status, 404);
      assert.match(said, /longwave why/);
    } else for (const { streamUrl } of said.audio.streams) assert.doesNotMatch(streamUrl, isHls);
  }
});

test('browsing reaches every station that has a place or a genre, and each leads where its document does', async () => {
  const found = new Set<string>();
  await speaker.walk((id) => found.add(id));
  const { stations } = seeded.directory.current();
  assert.deepEqual(
    stations.map(({ id }) => `s${id}`).filter((id) => !found.has(id)),
    [],
  );
  const { said } = await json('/bmx/station/s2');
  assert.equal(await speaker.play('s2'), said.audio.streamUrl);
});

test('a search finds stations; one for nothing says what to do', async () => {
  const [first] = await speaker.search('harbour folk');
  assert.deepEqual(first, { name: 'Harbour Folk', opens: undefined, plays: '/v1/playback/station/s1' });
  assert.equal((await json('/bmx/tunein/v1/search?q=')).status, 400);
});

test('the JSON of TuneIn: a search as the replacements of the cloud ask it', async () => {
  const { said } = await json('/profiles?fulltextsearch=true&version=1.3&query=harbour');
  const stations = said.Items.find((item: any) => item.ContainerType === 'Stations');
  assert.equal(stations.Type, 'Container');
  const { GuideId, Title, Index, Type, Image } = stations.Children[0];
  assert.deepEqual(
    { GuideId, Title, Index, Type },
    { GuideId: 's1', Title: 'Harbour Folk', Index: 1, Type: 'Station' },
  );
  assert.equal(Image, `${server.origin}/logos/s1q.png`);
  assert.equal((await json('/profiles?query=')).status, 400);
});

test('the JSON of TuneIn: a show, by its address in a search, and its topics, by theirs', async () => {
  const title = (await seeded.database.pool.query('SELECT title FROM shows WHERE id = 101')).rows[0].title;
  const { said: found } = await json(`/profiles?fulltextsearch=true&query=${encodeURIComponent(title)}`);
  const shows = found.Items.find((item: any) => item.ContainerType === 'Shows');
  const show = shows.Children.find((child: any) => child.GuideId === 'p101');
  assert.equal(show.Type, 'Program');
  const { said: profile } = await json(new URL(show.Actions.Profile.Url).pathname);
  assert.equal(profile.Item.Title, title);
  const { said: contents } = await json(new URL(profile.Item.Pivots.Contents.Url).pathname);
  const topics = await seeded.database.pool.query(
    'SELECT id FROM topics WHERE show_id = 101 ORDER BY published_at DESC, id DESC',
  );
  assert.deepEqual(
    contents.Items[0]?.Children.map((child: any) => child.GuideId) ?? [],
    topics.rows.map(({ id }) => `t${id}`),
  );
  assert.equal((await json('/profiles/p999999')).status, 404);
  assert.equal((await json('/profiles/s1')).said.Item.GuideId, 's1');
});
