import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_LISTS, readLists } from './lists.ts';
import {
  type FinishedEpisode,
  type KnownShow,
  MAX_FINISHED,
  MAX_QUEUE,
  MAX_SHOWS,
  type QueuedEpisode,
  afterEnd,
  newSince,
  speedOf,
  unseenShows,
  withFinished,
  withFirst,
  withLast,
  withNext,
  withSeen,
  withSpeed,
} from './podcast-lists.ts';

const episode = (number: number, showId = 'p1'): QueuedEpisode => ({
  guideId: `t${number}`,
  name: `Part ${number}`,
  showId,
  show: 'Show',
  seconds: 60,
});
const queueOf = (...numbers: number[]): QueuedEpisode[] => numbers.map((number) => episode(number));
const ids = (list: readonly { guideId: string }[]): string => list.map(({ guideId }) => guideId).join(' ');
const none = (): boolean => false;
const seen = (guideId: string, number: number | undefined): KnownShow => ({
  guideId,
  seen: number,
  speed: undefined,
});

test('an episode goes to the end of the queue, once, as long as there is room', () => {
  const queue = queueOf(1, 2);
  assert.equal(ids(withLast(queue, episode(3))), 't1 t2 t3');
  assert.equal(withLast(queue, episode(1)), queue);
  const full = queueOf(...Array.from({ length: MAX_QUEUE }, (_, at) => at));
  assert.equal(withLast(full, episode(9999)), full);
  assert.equal(withNext(full, episode(9999), undefined), full);
  assert.equal(withNext(full, episode(150), undefined).length, MAX_QUEUE);
});

test('what is to be next comes after what plays from the queue, else first', () => {
  assert.equal(ids(withNext(queueOf(1, 2), episode(3), 't1')), 't1 t3 t2');
  assert.equal(ids(withNext(queueOf(1, 2), episode(3), undefined)), 't3 t1 t2');
  assert.equal(ids(withNext(queueOf(1, 2), episode(3), 's7')), 't3 t1 t2');
  assert.equal(ids(withNext(queueOf(1, 2, 3), episode(3), 't1')), 't1 t3 t2');
  assert.equal(ids(withNext(queueOf(1, 2), episode(1), 't1')), 't1 t2');
  assert.equal(ids(withNext([], episode(1), 't1')), 't1');
});

test('what is played is first in the queue, and what ended leaves it to the next', () => {
  assert.equal(ids(withFirst(queueOf(1, 2, 3), 't3')), 't3 t1 t2');
  const queue = queueOf(1, 2);
  assert.equal(withFirst(queue, 't1'), queue);
  assert.equal(withFirst(queue, 't9'), queue);
  assert.deepEqual(afterEnd(queueOf(1, 2, 3), 't1'), { next: episode(2), queue: queueOf(2, 3) });
  assert.deepEqual(afterEnd(queueOf(2, 3), 't9'), { next: episode(2), queue: queueOf(2, 3) });
  assert.deepEqual(afterEnd(queueOf(1), 't1'), { next: undefined, queue: [] });
});

test('what a show has when it is subscribed to is not new; what comes later is, until it is seen or played', () => {
  const first = [episode(11, 'p1'), episode(10, 'p1'), episode(12, 'p2')];
  assert.deepEqual(newSince(first, [], none), []);
  assert.deepEqual(unseenShows([seen('p2', undefined)], ['p1', 'p2', 'p3']), ['p1', 'p2', 'p3']);
  const shows = withSeen([], first, unseenShows([], ['p1', 'p2', 'p3']));
  assert.deepEqual(
    shows.toSorted((one, other) => one.guideId.localeCompare(other.guideId)),
    [seen('p1', 11), seen('p2', 12), seen('p3', 0)],
  );
  assert.deepEqual(newSince(first, shows, none), []);
  const later = [episode(15, 'p1'), episode(13, 'p3'), ...first];
  assert.equal(ids(newSince(later, shows, none)), 't15 t13');
  assert.equal(ids(newSince(later, shows, (id) => id === 't15')), 't13');
  const looked = withSeen(shows, newSince(later, shows, none), ['p1', 'p3']);
  assert.deepEqual(newSince(later, looked, none), []);
  assert.equal(withSeen(looked, later, ['p1', 'p2', 'p3']), looked);
  // An older answer that comes late makes nothing new again.
  assert.equal(withSeen(looked, first, ['p1']), looked);
});

test('a speed is kept for each show, beside what was seen of it', () => {
  const shows = withSpeed([seen('p1', 5)], 'p1', 1.5);
  assert.deepEqual(shows, [{ guideId: 'p1', seen: 5, speed: 1.5 }]);
  assert.deepEqual([speedOf(shows, 'p1'), speedOf(shows, 'p2'), speedOf(shows, undefined)], [1.5, 1, 1]);
  let many: readonly KnownShow[] = [];
  for (let at = 0; at < MAX_SHOWS + 5; at++) many = withSpeed(many, `p${at}`, 2);
  assert.equal(many.length, MAX_SHOWS);
  assert.deepEqual([speedOf(many, 'p0'), speedOf(many, `p${MAX_SHOWS + 4}`)], [1, 2]);
});

test('what was heard to its end is there once, the latest first, and the oldest goes', () => {
  let list: readonly FinishedEpisode[] = [];
  for (let at = 0; at < MAX_FINISHED + 3; at++) list = withFinished(list, { guideId: `t${at}`, at });
  list = withFinished(list, { guideId: 't500', at: 9999 });
  assert.deepEqual([list.length, list[0]], [MAX_FINISHED, { guideId: 't500', at: 9999 }]);
  assert.equal(list.filter(({ guideId }) => guideId === 't500').length, 1);
});

test('what another version of the site stored is read as far as it is understood', () => {
  assert.deepEqual(readLists({}), NO_LISTS);
  const lists = readLists({
    queue: [
      episode(1),
      { guideId: 't2', name: 'Bare' },
      { guideId: 's3', name: 'A station' },
      { guideId: 't4', name: '' },
      { guideId: 't5', name: 'Odd', showId: 'javascript:', show: 7, seconds: -1 },
      null,
    ],
    shows: [{ guideId: 'p1', seen: 3, speed: 1.2 }, { guideId: 'p2', speed: 40 }, { guideId: 't1' }],
    finished: [{ guideId: 't1', at: 5 }, { guideId: 't2' }, { guideId: 'p1', at: 1 }],
  });
  const bare = { showId: '', show: '', seconds: undefined };
  assert.deepEqual(lists.queue, [
    episode(1),
    { guideId: 't2', name: 'Bare', ...bare },
    { guideId: 't5', name: 'Odd', ...bare },
  ]);
  assert.deepEqual(lists.shows, [
    { guideId: 'p1', seen: 3, speed: 1.2 },
    { guideId: 'p2', seen: undefined, speed: undefined },
  ]);
  assert.deepEqual(lists.finished, [
    { guideId: 't1', at: 5 },
    { guideId: 't2', at: 0 },
  ]);
});
