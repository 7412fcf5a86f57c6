import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryStore } from './memory-store.ts';
import { PlayingBoard } from './playing-board.ts';
import type { Song, StationSong } from './song.ts';
import type { News, PlayingStore } from './store.ts';
import { ManualClock } from '../../../test/time/manual-clock.ts';

const clock = (): ManualClock => new ManualClock('2026-07-15T12:00:00Z');
const songAt = (time: ManualClock, title: string, more: Partial<Song> = {}): Song => ({
  title,
  startedAt: time.now().epochMilliseconds,
  heardAt: time.now().epochMilliseconds,
  source: 'icy',
  ...more,
});
const tell = (store: PlayingStore, stationId: number, heard: Song | 'nothing'): Promise<void> =>
  store.publish([{ stationId, heard, dueInMs: 1000 }]);

test('a song is shown as soon as it is told, and no longer than it is good', async () => {
  const time = clock();
  const store = new MemoryStore({ clock: time });
  await using board = new PlayingBoard({ store, clock: time });
  assert.equal(board.songOf(1), undefined);
  await tell(store, 1, songAt(time, 'First Light'));
  assert.equal(board.songOf(1)?.title, 'First Light');
  time.advance({ seconds: 119 });
  assert.equal(board.songOf(1)?.title, 'First Light');
  time.advance({ seconds: 1 });
  assert.equal(board.songOf(1), undefined);
  assert.deepEqual([...board.listPlaying()], []);
});

test('a song with its end is shown until then, one that was pushed for ten minutes', async () => {
  const time = clock();
  const store = new MemoryStore({ clock: time });
  await using board = new PlayingBoard({ store, clock: time });
  await tell(store, 1, songAt(time, 'Long', { endsAt: time.now().epochMilliseconds + 400_000 }));
  await tell(store, 2, songAt(time, 'Pushed', { source: 'push' }));
  time.advance({ seconds: 399 });
  assert.deepEqual(
    [...board.listPlaying()].map(({ stationId }) => stationId),
    [1, 2],
  );
  time.advance({ seconds: 1 });
  assert.deepEqual(
    [...board.listPlaying()].map(({ stationId }) => stationId),
    [2],
  );
  time.advance({ seconds: 200 });
  assert.deepEqual([...board.listPlaying()], []);
});

test('what was told before it was opened is known, and what is told goes on to its own listeners', async () => {
  const time = clock();
  const store = new MemoryStore({ clock: time });
  await tell(store, 1, songAt(time, 'Before'));
  await using board = new PlayingBoard({ store, clock: time });
  await new Promise(setImmediate);
  assert.equal(board.songOf(1)?.title, 'Before');
  const heard: News[] = [];
  const listening = board.onNews((news) => heard.push(...news));
  await tell(store, 1, 'nothing');
  assert.equal(board.songOf(1), undefined);
  listening[Symbol.dispose]();
  await tell(store, 1, songAt(time, 'After'));
  assert.deepEqual(heard, [{ stationId: 1, song: undefined }]);
});

/** Answers late, with what was there when it was asked. */
class SlowStore extends MemoryStore {
  readonly answer = Promise.withResolvers<void>();

  override async listRecent(most: number): Promise<readonly StationSong[]> {
    const recent = await super.listRecent(most);
    await this.answer.promise;
    return recent;
  }
}

test('news that come while it reads what was told before are newer, a song that is over too', async () => {
  const time = clock();
  const store = new SlowStore({ clock: time });
  for (const id of [1, 2, 3]) await tell(store, id, songAt(time, 'Before'));
  await using board = new PlayingBoard({ store, clock: time });
  await new Promise(setImmediate);
  time.advance({ seconds: 1 });
  await tell(store, 1, 'nothing');
  await tell(store, 2, songAt(time, 'After'));
  store.answer.resolve();
  await new Promise(setImmediate);
  assert.deepEqual(
    [1, 2, 3].map((id) => board.songOf(id)?.title),
    [undefined, 'After', 'Before'],
  );
});

test('it holds so many songs, and lets go of the ones heard longest ago', async () => {
  const time = clock();
  const store = new MemoryStore({ clock: time });
  await using board = new PlayingBoard({ store, clock: time, mostSongs: 3 });
  for (const id of [1, 2, 3, 1, 4]) await tell(store, id, songAt(time, `Song ${id}`));
  assert.deepEqual(
    [...board.listPlaying()].map(({ stationId }) => stationId),
    [3, 1, 4],
  );
});

/** Counts what it is asked; says no while it is away. */
class CountingStore extends MemoryStore {
  readonly questions: number[][] = [];
  isAway = false;

  override async ask(stationIds: readonly number[]): Promise<void> {
    this.questions.push([...stationIds]);
    if (this.isAway) throw new Error('away');
    await super.ask(stationIds);
  }
}

test('however many ask, the store hears of a station once a minute', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const time = clock();
  const store = new CountingStore({ clock: time });
  await using board = new PlayingBoard({ store, clock: time });
  const pass = async (seconds: number): Promise<void> => {
    time.advance({ seconds });
    t.mock.timers.tick(seconds * 1000);
    await new Promise(setImmediate);
  };
  assert.equal(board.asked(1), true, 'nobody asked before');
  for (let caller = 0; caller < 1000; caller += 1) board.asked(1 + (caller % 2));
  assert.deepEqual(store.questions, [], 'no caller waits for it');
  await pass(1);
  assert.deepEqual(store.questions, [[1, 2]]);
  for (let second = 0; second < 60; second += 1) {
    assert.equal(board.asked(1), false);
    await pass(1);
  }
  assert.equal(store.questions.length, 1);
  board.asked(1);
  await pass(1);
  assert.deepEqual(store.questions, [[1, 2], [1]]);
});

test('while the store is away nothing is thrown, and who asks again is told to it when it is back', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const time = clock();
  const store = new CountingStore({ clock: time });
  await using board = new PlayingBoard({ store, clock: time });
  const second = async (): Promise<void> => {
    time.advance({ seconds: 1 });
    t.mock.timers.tick(1000);
    await new Promise(setImmediate);
  };
  store.isAway = true;
  board.asked(5);
  await second();
  assert.equal(board.asked(5), true);
  store.isAway = false;
  await second();
  assert.equal(board.asked(5), false);
  assert.deepEqual(store.questions, [[5], [5]]);
  assert.deepEqual(
    (await store.claimDue(10, 1000)).map(({ stationId }) => stationId),
    [5],
  );
});
