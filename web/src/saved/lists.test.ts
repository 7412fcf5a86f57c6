import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  MAX_SAVED,
  type PlayedItem,
  type SavedPreset,
  inOrder,
  readLists,
  withPlayed,
  withPreset,
  withPresetAt,
  withSong,
  without,
  withoutSong,
} from './lists.ts';

const preset = (guideId: string): SavedPreset => ({ guideId, name: guideId, subtext: '' });
const played = (guideId: string, at: number): PlayedItem => ({ kind: 'station', ...preset(guideId), at });
const ids = (list: readonly { guideId: string }[]): string[] => list.map(({ guideId }) => guideId);

test('a preset goes to the end, and only once', () => {
  const two = [preset('s1'), preset('s2')];
  assert.deepEqual(ids(withPreset(two, preset('p3'))), ['s1', 's2', 'p3']);
  assert.equal(withPreset(two, preset('s1')), two);
  assert.deepEqual(ids(without(two, ['s1'])), ['s2']);
  assert.deepEqual(ids(withPresetAt([preset('s2')], preset('s1'), 0)), ['s1', 's2']);
});

test('there are never more than an account takes', () => {
  const full = Array.from({ length: MAX_SAVED.presets }, (_, at) => preset(`s${at}`));
  assert.equal(withPreset(full, preset('s9999')), full);
  assert.equal(withPresetAt(full, preset('s9999'), 0).length, MAX_SAVED.presets);
  let list: readonly PlayedItem[] = [];
  for (let at = 0; at < 100; at++) list = withPlayed(list, played(`s${at}`, at));
  assert.equal(list.length, MAX_SAVED.played);
  assert.equal(list[0]?.guideId, 's99');
});

test('an order keeps what another tab saved meanwhile, and forgets what it removed', () => {
  const list = [preset('s1'), preset('s2'), preset('s4')];
  assert.deepEqual(ids(inOrder(list, ['s3', 's2', 's1'])), ['s2', 's1', 's4']);
});

test('what is heard again comes first again', () => {
  const list = withPlayed(withPlayed(withPlayed([], played('s1', 1)), played('s2', 2)), played('s1', 3));
  assert.deepEqual(
    list.map(({ guideId, at }) => [guideId, at]),
    [
      ['s1', 3],
      ['s2', 2],
    ],
  );
});

test('a song is liked once, wherever it was heard', () => {
  const song = { title: 'First Light', artist: 'The Example Duo', guideId: 's1', station: 'One', at: 1 };
  const twice = withSong(withSong([], song), { ...song, guideId: 's2', station: 'Two' });
  assert.deepEqual(
    twice.map(({ station }) => station),
    ['Two'],
  );
  assert.deepEqual(withoutSong(twice, song), []);
});

test('what was stored is read with care', () => {
  const stored = {
    presets: [preset('s1'), { guideId: 's2' }, { guideId: 'javascript:', name: 'x' }, null, 5, preset('p2')],
    played: 'nothing',
    songs: [{ title: 'A' }, { artist: 'B' }],
  };
  const { presets, played: heard, songs } = readLists(stored);
  assert.deepEqual(ids(presets), ['s1', 'p2']);
  assert.deepEqual(heard, []);
  assert.deepEqual(songs, [{ title: 'A', artist: '', guideId: '', station: '', at: 0 }]);
});
