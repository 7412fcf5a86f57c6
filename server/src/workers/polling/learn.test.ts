import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Song } from '../../core/now-playing/song.ts';
import { failureDueInMs, MAX_MS, songDueInMs, waitDueInMs } from './learn.ts';

const NOW = 1_000_000_000;
const song = (ageSeconds: number, leftSeconds?: number): Song => ({
  title: 'Title',
  source: 'icy',
  heardAt: NOW,
  startedAt: NOW - ageSeconds * 1000,
  endsAt: leftSeconds === undefined ? undefined : NOW + leftSeconds * 1000,
});

const DUE: [what: string, song: Song, seconds: number][] = [
  ['has just begun', song(0), 22],
  ['is two minutes old', song(120), 15],
  ['is nearly over', song(400), 15],
  ['is no song but a show', song(700), 22],
  ['ends in twenty seconds', song(100, 20), 21.5],
  ['ends in a second', song(100, 1), 5],
  ['ends in four minutes', song(0, 240), 60],
  ['should be over', song(200, -10), 5],
  ['should be over for long', song(400, -100), 15],
];
for (const [what, playing, seconds] of DUE)
  test(`a station is asked again after ${seconds} s when its song ${what}`, () =>
    assert.equal(songDueInMs(playing, NOW), seconds * 1000));

test('with a poll of two seconds and a document of five a new song is known within half a minute', () => {
  assert.ok(MAX_MS + 2000 + 5000 < 30_000);
});

test('who does not answer is asked ever later, and as late as it says, up to five minutes', () => {
  assert.deepEqual(
    [1, 2, 3, 4, 5, 6, 7, 1000].map((failures) => failureDueInMs(failures) / 1000),
    [10, 20, 40, 80, 160, 300, 300, 300],
  );
  assert.equal(failureDueInMs(1, 60), 60_000);
  assert.equal(failureDueInMs(1, 86_400), 300_000);
});

test('who is put off comes back at different moments', () => {
  assert.deepEqual([waitDueInMs(() => 0), waitDueInMs(() => 0.5)], [5000, 7500]);
});
