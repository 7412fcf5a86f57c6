import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { ListedSongs, songAt } from './listed-songs.ts';
import { MemoryStore } from './memory-store.ts';
import { PlayingBoard } from './playing-board.ts';
import type { Song } from './song.ts';
import { ManualClock } from '../../../test/time/manual-clock.ts';

/** A snapshot of these stations in this order. */
const snapshotOf = (...ids: number[]) => ({ stationById: new Map(ids.map((id, rank) => [id, { rank }])) });
type TestSnapshot = ReturnType<typeof snapshotOf>;

const snapshot = snapshotOf(7, 8, 9);
let clock: ManualClock;
let store: MemoryStore;
let playing: PlayingBoard;
let swap: (next: TestSnapshot) => void;
let looked: number;
beforeEach(() => {
  clock = new ManualClock('2026-07-15T12:00:00Z');
  store = new MemoryStore({ clock });
  playing = new PlayingBoard({ store, clock });
  looked = 0;
});
afterEach(() => playing[Symbol.asyncDispose]());

const onSwap = (listener: typeof swap): (() => void) => ((swap = listener), () => undefined);

function listedSongs(mostSongs?: number): ListedSongs {
  const counting = {
    onNews: playing.onNews.bind(playing),
    get size() {
      return playing.size;
    },
    listPlaying: () => ((looked += 1), playing.listPlaying()),
  };
  return new ListedSongs({
    playing: counting,
    directory: { current: () => snapshot, onSwap },
    ...(mostSongs === undefined ? {} : { mostSongs }),
  });
}

async function tell(stationId: number, heard: Partial<Song> | 'nothing'): Promise<void> {
  const heardAt = clock.now().epochMilliseconds;
  const song = { title: 'Song', source: 'icy', startedAt: heardAt, heardAt } as const;
  await store.publish([
    { stationId, heard: heard === 'nothing' ? heard : { ...song, ...heard }, dueInMs: 1000 },
  ]);
}

const titles = (listed: ListedSongs, of = snapshot): (string | undefined)[] =>
  [...of.stationById.values()].map(({ rank }) => songAt(listed.on(of), rank)?.song);

test('a song stands where its station does in a snapshot, whichever that is', async () => {
  await using listed = listedSongs();
  assert.equal(listed.on(snapshot), undefined);
  await tell(5, { title: 'Elsewhere' });
  assert.equal(listed.on(snapshot), undefined, 'no station of this snapshot');
  await tell(7, { title: 'One', artist: 'Ann', artAddress: 'https://art.test/1' });
  await tell(9, { title: 'Nine' });
  await listed.turn();
  assert.deepEqual(titles(listed), ['Ann - One', undefined, 'Nine']);
  assert.deepEqual(songAt(listed.on(snapshot), 0)?.songImage, { address: 'https://art.test/1' });
  const next = snapshotOf(9, 1, 7);
  swap(next);
  assert.deepEqual(titles(listed, next), ['Nine', undefined, 'Ann - One']);
});

test('after some quiet a song is listed at once, and then all that are new at the next turn', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  await using listed = listedSongs();
  await tell(7, { title: 'First' });
  assert.deepEqual(titles(listed), ['First', undefined, undefined]);
  await tell(7, { title: 'Second' });
  await tell(8, { title: 'Other' });
  assert.deepEqual(titles(listed), ['First', undefined, undefined], 'menus are kept in between');
  t.mock.timers.tick(24_999);
  assert.deepEqual(titles(listed), ['First', undefined, undefined]);
  t.mock.timers.tick(1);
  assert.deepEqual(titles(listed), ['Second', 'Other', undefined]);
  t.mock.timers.tick(25_000);
  await tell(8, 'nothing');
  assert.deepEqual(titles(listed), ['Second', undefined, undefined], 'it was quiet for a turn');
});

test('a song that is heard again and again changes nothing and is not even looked at', async () => {
  await using listed = listedSongs();
  await tell(7, { title: 'Long' });
  await listed.turn();
  const { stamp } = listed.on(snapshot) ?? assert.fail('no song');
  const before = looked;
  for (let poll = 0; poll < 5; poll += 1) {
    clock.advance({ seconds: 20 });
    await tell(7, { title: 'Long' });
    await tell(8, 'nothing');
  }
  assert.equal(looked, before);
  await listed.turn();
  assert.equal(listed.on(snapshot)?.stamp, stamp);
});

test('the stamp changes with a title, an artist, a picture and a station that falls silent', async () => {
  await using listed = listedSongs();
  const seen = new Set<number | undefined>();
  const [title, artist, artAddress] = ['x', 'y', 'https://art.test/2'];
  const changes = [{}, { title }, { title, artist }, { title, artist, artAddress }];
  for (const change of changes) {
    await tell(7, change);
    await listed.turn();
    seen.add(listed.on(snapshot)?.stamp);
  }
  assert.equal(seen.size, changes.length);
  assert.ok(!seen.has(undefined));
  await tell(7, 'nothing');
  await listed.turn();
  assert.equal(listed.on(snapshot), undefined);
});

test('what was handed out stays as it is when songs change', async () => {
  await using listed = listedSongs();
  await tell(7, { title: 'Before' });
  const before = listed.on(snapshot);
  await tell(7, { title: 'After' });
  await listed.turn();
  assert.equal(songAt(before, 0)?.song, 'Before');
  assert.deepEqual(titles(listed), ['After', undefined, undefined]);
});

test('while nobody tells anything new a song goes when its life is over, and no sooner', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  await using listed = listedSongs();
  await tell(7, { title: 'Heard' });
  await tell(8, { title: 'Pushed', source: 'push' });
  const pass = (seconds: number): void => {
    clock.advance({ seconds });
    t.mock.timers.tick(25_000);
  };
  pass(119);
  assert.deepEqual(titles(listed), ['Heard', 'Pushed', undefined]);
  pass(1);
  assert.deepEqual(titles(listed), [undefined, 'Pushed', undefined]);
  pass(480);
  assert.equal(listed.on(snapshot), undefined);
});

test('after it is disposed of nothing turns any more', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const listed = listedSongs();
  await listed[Symbol.asyncDispose]();
  const before = looked;
  await tell(7, { title: 'Late' });
  t.mock.timers.tick(100_000);
  assert.equal(looked, before);
});

test('it lists so many songs, those that were heard last', async () => {
  await using listed = listedSongs(2);
  for (const id of [7, 8, 9]) await tell(id, { title: `Song ${id}` });
  await listed.turn();
  assert.deepEqual(titles(listed), [undefined, 'Song 8', 'Song 9']);
});

test('many songs are listed in pieces, between which others are served, and shown together', async () => {
  const many = Array.from({ length: 3500 }, (_, at) => at + 1);
  const large = snapshotOf(...many);
  await using listed = listedSongs();
  const heardAt = clock.now().epochMilliseconds;
  const song = { title: 'Song', source: 'icy', startedAt: heardAt, heardAt } as const;
  await store.publish(many.map((stationId) => ({ stationId, heard: song, dueInMs: 1000 })));
  let servedBefore = 0;
  while (listed.on(large) === undefined) {
    await new Promise(setImmediate);
    servedBefore += 1;
  }
  assert.ok(servedBefore >= 3, `${servedBefore} turns of others`);
  assert.ok(titles(listed, large).every((title) => title === 'Song'));
});
