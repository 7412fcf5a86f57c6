import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startIcecast } from '../../house/icecast.ts';
import { type Ref, startMopidy } from './mopidy.ts';
import { serveHouse } from '../../house/served-house.ts';
import { addTidalStories, TIDAL_STORIES } from '../tidal-stories.ts';
import { waitUntil } from '../../time/wait-until.ts';

const HARBOUR_FOLK = 'tunein:station:s1';
const names = (refs: readonly Ref[]): string[] => refs.map(({ name }) => name);
const find = (refs: readonly Ref[], name: string): Ref => {
  const found = refs.find((ref) => ref.name === name || ref.name.startsWith(`${name} (`));
  assert.ok(found, `${name} is not among ${names(refs).join(', ')}`);
  return found;
};

test('Mopidy browses, searches, looks a station up and plays it', async (t) => {
  await using served = await serveHouse(addTidalStories);
  const icecast = await startIcecast(served.house);
  const { browse, call } = await startMopidy(served);

  await t.test('the index, and the menus it leads to', async () => {
    const root = await browse('tunein:root');
    const index = [
      'Local Radio',
      'Talk',
      'Sports',
      'Music',
      'By Location',
      'Podcasts',
      'My Presets',
      'Trending',
    ];
    assert.deepEqual(names(root), index);
    const genres = await browse(find(root, 'Music').uri);
    const stations = await browse(find(genres, 'Jazz').uri);
    assert.equal(find(stations, 'Lantern Jazz').type, 'track');
    const continents = await browse(find(root, 'By Location').uri);
    assert.equal(find(continents, 'Europe').type, 'directory');
  });

  await t.test('local radio is that of the place where the house stands', async () => {
    const [nearest] = await browse('tunein:category:local');
    assert.equal(nearest?.uri, HARBOUR_FOLK);
  });

  await t.test('what is trending', async () => {
    const trending = await browse('tunein:category:trending');
    assert.ok(
      trending.some(({ uri }) => uri === HARBOUR_FOLK),
      names(trending).join(', '),
    );
  });

  await t.test('the topics of a show, the newest first', async () => {
    const [newest, oldest, ...more] = names(await browse(`tunein:episodes:${TIDAL_STORIES}`));
    assert.match(newest ?? '', /^High Water/);
    assert.match(oldest ?? '', /^Low Water/);
    assert.deepEqual(more, []);
  });

  await t.test('presets are empty, since it has no way to say whose', async () => {
    assert.deepEqual(await browse('tunein:category:presets'), []);
  });

  await t.test('a search', async () => {
    const query = { any: ['harbour folk'] };
    const results = await call<{ tracks?: Ref[] }[]>('library.search', { query });
    const uris = results.flatMap(({ tracks = [] }) => tracks.map(({ uri }) => uri));
    assert.equal(uris[0], HARBOUR_FOLK);
  });

  await t.test('a station that no menu showed before', async () => {
    await call('library.refresh');
    type Tracks = Record<string, { uri: string; album: Ref }[]>;
    const found = await call<Tracks>('library.lookup', { uris: [HARBOUR_FOLK] });
    const [track] = found[HARBOUR_FOLK] ?? [];
    assert.equal(track?.uri, HARBOUR_FOLK);
    assert.equal(track.album.name, 'Harbour Folk');
  });

  await t.test('sound, and the title of what is playing', async () => {
    await icecast.setTitle('/harbourfolk-128.mp3', 'Aoife Tide - Low Water');
    await browse('tunein:category:local');
    await call('tracklist.add', { uris: [HARBOUR_FOLK] });
    await call('playback.play');
    const position = async () => Number(await call('playback.get_time_position'));
    const started = await waitUntil('sound', async () => (await position()) || undefined);
    await sleep(2000);
    assert.ok(
      (await position()) - started > 1000,
      'two seconds of listening are more than one second of sound',
    );
    const title = await waitUntil(
      'a title',
      async () => (await call('playback.get_stream_title')) ?? undefined,
    );
    assert.equal(title, 'Aoife Tide - Low Water');
  });
});
