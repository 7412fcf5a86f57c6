import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shownUntil } from '../playing/song.ts';
import { type HeardSong, songFrom } from './heard.ts';

const NOW = Date.parse('2026-07-15T12:00:00Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const heard = (startedAt?: number, endsAt?: number): HeardSong => ({
  title: 'First Light',
  source: 'azuracast',
  startedAt,
  endsAt,
});

test('a song began when it is said to have, and ends as it is said to', () => {
  const song = songFrom(heard(NOW - MINUTE, NOW + MINUTE), undefined, NOW);
  assert.deepEqual([song.startedAt, song.endsAt], [NOW - MINUTE, NOW + MINUTE]);
});

test('a song that goes on began when it was first heard', () => {
  const before = songFrom(heard(), undefined, NOW - MINUTE);
  assert.equal(songFrom(heard(), before, NOW).startedAt, NOW - MINUTE);
});

test('where the clock of a station is ahead, its song began when it was first heard and lasts as long as it says', () => {
  const first = songFrom(heard(NOW + 10 * MINUTE, NOW + 13 * MINUTE), undefined, NOW);
  assert.deepEqual([first.startedAt, first.endsAt], [NOW, NOW + 3 * MINUTE]);
  const again = songFrom(heard(NOW + 10 * MINUTE, NOW + 13 * MINUTE), first, NOW + MINUTE);
  assert.deepEqual([again.startedAt, again.endsAt], [NOW, NOW + 3 * MINUTE]);
});

test('a song that lasts for most of a day is not shown until then when nobody asks any more', () => {
  const song = songFrom(heard(NOW, NOW + 24 * HOUR), undefined, NOW);
  assert.equal(song.endsAt, undefined);
  assert.ok(shownUntil(song) <= NOW + 6 * HOUR);
});
