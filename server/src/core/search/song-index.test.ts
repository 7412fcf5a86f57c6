import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { testApp } from '../../../test/apps/http-server.ts';
import { seededDirectory } from '../../../test/content/seeded-directory.ts';
import { search } from '../../protocols/radiotime/search/search.ts';
import { Aliases } from '../directory/lookup/by-any-id.ts';
import { MemoryStore } from '../now-playing/memory-store.ts';
import { PlayingBoard } from '../now-playing/playing-board.ts';
import type { Song, StationSong } from '../now-playing/song.ts';
import { SongIndex, type SongPart } from './song-index.ts';
import { ManualClock } from '../../../test/time/manual-clock.ts';

const AT = Date.parse('2026-05-01T12:00:00Z');
const onAir = (stationId: number, artist: string | undefined, title: string): StationSong => ({
  stationId,
  song: { artist, title, source: 'icy', startedAt: AT, heardAt: AT },
});

/** A board that never changes by itself, and an index that has read it. */
async function indexOf(air: StationSong[]): Promise<SongIndex & { playing: Map<number, Song> }> {
  const playing = new Map(air.map(({ stationId, song }) => [stationId, song]));
  const board = {
    listPlaying: function* list(): Generator<StationSong> {
      for (const [stationId, song] of playing) yield { stationId, song };
    },
    songOf: (id: number) => playing.get(id),
    onNews: () => ({ [Symbol.dispose]: () => undefined }),
    size: air.length,
  };
  const index = new SongIndex(board);
  for (let n = 0; n < air.length / 50 + 2; n += 1) await turn();
  return Object.assign(index, { playing });
}
const find = async (air: StationSong[], query: string, part: SongPart): Promise<number[]> =>
  (await indexOf(air)).find(query, part).map(({ id }) => id);

const AIR = [
  onAir(1, 'Björk', 'Jóga'),
  onAir(2, 'The Quay', 'Joga Bonito'),
  onAir(3, 'Joga Players', 'Björk Cover'),
  onAir(4, undefined, 'Station news'),
  onAir(5, 'Ann Shore', 'Quay'),
  onAir(6, 'Ann', 'The Quay at Night'),
  onAir(7, '宇多田ヒカル', '花束を君に'),
];

const FOUND: [query: string, part: SongPart, ids: number[]][] = [
  ['joga', 'song', [1, 2]],
  ['joga', 'artist', [3]],
  ['joga', 'either', [1, 2, 3]],
  ['BJORK', 'artist', [1]],
  ['björk joga', 'song', [1, 3]],
  ['bjork joga', 'artist', []],
  ['quay', 'song', [5, 6]],
  ['ann qua', 'song', [5, 6]],
  ['ann qu', 'song', []],
  ['at', 'song', [6]],
  ['ann', 'song', []],
  ['花束', 'song', [7]],
  ['oga', 'either', []],
  ['!?', 'either', []],
  ['news', 'artist', []],
  ['news', 'song', [4]],
];
for (const [query, part, ids] of FOUND)
  test(`'${query}' as ${part} is played by ${ids.join() || 'nobody'}`, async () => {
    assert.deepEqual(await find(AIR, query, part), ids);
  });

test('the whole title comes before its start, and that before a word of it', async () => {
  const air = [onAir(1, 'x', 'In the Quay'), onAir(2, 'x', 'Quay Song'), onAir(3, 'x', 'Quay')];
  assert.deepEqual(await find(air, 'quay', 'song'), [3, 2, 1]);
});

test('however many play it, some hundred are looked at', async () => {
  const many = Array.from({ length: 2000 }, (_, n) => onAir(n, 'x', 'Hit'));
  assert.equal((await find(many, 'hit', 'song')).length, 500);
});

test('a song that is over is not found, though nobody said so', async () => {
  const index = await indexOf(AIR);
  index.playing.delete(5);
  index.playing.set(6, { ...AIR[5]!.song, title: 'Another' });
  assert.deepEqual(index.find('quay', 'song'), []);
});

test('stations are told with the song they play, for as long as they play it', async () => {
  await using seeded = await seededDirectory();
  const { directory, database } = seeded;
  const clock = new ManualClock('2026-05-01T12:00:00Z');
  await using store = new MemoryStore({ clock });
  await using board = new PlayingBoard({ store, clock });
  const [station] = directory.current().stations;
  const id = station?.id ?? assert.fail();
  const { song } = onAir(id, 'Ann <Shore>', 'Quay');
  const art = { ...song, artAddress: 'https://art.example/1.jpg' };
  await store.publish([{ stationId: id, heard: art, dueInMs: 1000 }]);
  const aliases = new Aliases(database.pool);
  const { app } = testApp([search({ directory, db: database.pool, aliases, playing: board })], { clock });
  const get = async (query: string): Promise<string> =>
    (await app.inject({ url: `/Search.ashx?${query}`, headers: { host: 'radio.test' } })).body;
  const line = new RegExp(
    `type="audio" [^>]*guide_id="s${id}" subtext="Ann &lt;Shore&gt; - Quay"[^>]* playing="Ann &lt;Shore&gt; - Quay" playing_image="https://art\\.example/1\\.jpg[^>]* current_track="Ann &lt;Shore&gt; - Quay"`,
  );
  await turn();
  assert.match(await get('c=song&query=quay'), line);
  assert.match(await get('c=artist,song&query=ann+quay'), line);
  assert.match(await get('c=ARTIST&query=shore'), line);
  assert.match(await get(`query=s${id}`), line, 'found by other words too');
  assert.match(await get('c=artist&query=quay'), /No results for quay/);
  clock.advance({ minutes: 10 });
  assert.match(await get('c=song&query=quay'), /No results for quay/);
  await app.close();
});
