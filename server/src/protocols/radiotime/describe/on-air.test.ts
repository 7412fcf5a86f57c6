import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wordsFor } from '../../../core/i18n/words.ts';
import { remainingText } from './now-playing.ts';
import { currentBroadcast, onAirSeconds } from './on-air.ts';
import type { TitledBroadcastRow } from '../../../storage/catalog/schedules/broadcasts.ts';

const NOON = Temporal.Instant.from('2026-07-15T12:00:00Z');
const at = (seconds: number): Temporal.Instant => NOON.add({ milliseconds: seconds * 1000 });
const show = (from: number, until: number, id = 1): TitledBroadcastRow => ({
  station_id: 1,
  show_id: id,
  title: `Show ${id}`,
  genre_id: null,
  starts_at: at(from),
  ends_at: at(until),
});
const song = (endsIn?: number) => ({
  title: 'Title',
  artist: 'Artist',
  endsAt: endsIn === undefined ? undefined : at(endsIn),
});

/** What is known, and for how many seconds it holds. */
const LIFETIMES: [
  what: string,
  schedule: TitledBroadcastRow[],
  song: ReturnType<typeof song> | undefined,
  seconds: number,
][] = [
  ['nothing', [], undefined, 30],
  ['a show that ends soon', [show(-600, 45)], undefined, 45],
  ['a show that ends within the second', [show(-600, 0.2)], undefined, 1],
  ['a long show', [show(-600, 4000)], undefined, 300],
  ['a show inside another', [show(-600, 4000), show(-60, 120, 2)], undefined, 120],
  ['only a show that is over', [show(-600, -1)], undefined, 30],
  ['only a show that comes later', [show(3600, 7200)], undefined, 30],
  ['a show that is about to begin', [show(12, 7200)], undefined, 12],
  ['a bulletin about to begin in a show', [show(-600, 4000), show(60, 300, 2)], undefined, 60],
  ['a song with its end', [], song(95), 95],
  ['a long piece', [], song(1200), 300],
  ['a song that should be over', [], song(-5), 30],
  ['a song without an end', [], song(), 30],
  ['a song without an end in a long show', [show(-600, 4000)], song(), 30],
  ['a song that outlasts the show', [show(-600, 45)], song(95), 45],
];
test('what is told while nobody knows yet holds a quarter of a minute, or less', () => {
  const cold = (schedule: TitledBroadcastRow[], playing?: ReturnType<typeof song>): number =>
    onAirSeconds({ schedule, song: playing, isCold: true }, NOON);
  assert.equal(cold([]), 15);
  assert.equal(cold([show(-600, 4000)]), 15);
  assert.equal(cold([show(-600, 9)]), 9);
  assert.equal(cold([], song(95)), 95);
  assert.equal(cold([], song()), 30);
});

for (const [what, schedule, playing, seconds] of LIFETIMES) {
  test(`what is told of ${what} holds ${seconds} s`, () => {
    assert.equal(onAirSeconds({ schedule, song: playing }, NOON), seconds);
  });
}

test('a broadcast begins at its start and is over at its end', () => {
  const schedule = [show(-60, 0, 1), show(0, 60, 2)];
  assert.equal(currentBroadcast(schedule, NOON)?.show_id, 2);
  assert.equal(currentBroadcast(schedule, at(-1))?.show_id, 1);
  assert.equal(currentBroadcast(schedule, at(60)), undefined);
});

const REMAINING: [seconds: number, text: string][] = [
  [1, '1m remaining'],
  [60, '1m remaining'],
  [61, '2m remaining'],
  [2220, '37m remaining'],
  [3600, '1h, 0m remaining'],
  [4260, '1h, 11m remaining'],
];
for (const [seconds, text] of REMAINING) {
  test(`${seconds} s are ${text}`, () => assert.equal(remainingText(seconds, wordsFor('en')), text));
}
