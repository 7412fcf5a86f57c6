import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ChosenProfile, findProfile, type ProfileSource, UNKNOWN_DEVICE } from './profiles.ts';
import { SerialMemory } from './serial-memory.ts';

const as = (id: string, source: ProfileSource): ChosenProfile => ({
  profile: findProfile(id) ?? assert.fail(id),
  source,
});
const nameOf = ({ profile, source }: ChosenProfile): string => `${profile.id} by ${source}`;

test('a serial that said what it is is that when it says nothing', () => {
  const memory = new SerialMemory();
  assert.equal(memory.settle('a', UNKNOWN_DEVICE), UNKNOWN_DEVICE);
  assert.equal(nameOf(memory.settle('a', as('linn', 'userAgent'))), 'linn by userAgent');
  assert.equal(nameOf(memory.settle('a', UNKNOWN_DEVICE)), 'linn by serial');
  assert.equal(nameOf(memory.settle('a', as('lyrion', 'formats'))), 'linn by serial');
  assert.equal(memory.settle('b', UNKNOWN_DEVICE), UNKNOWN_DEVICE);
  assert.equal(memory.settle(undefined, UNKNOWN_DEVICE), UNKNOWN_DEVICE);
});

test('what a call is told to be for once is not learnt, and the latest word holds', () => {
  const memory = new SerialMemory();
  memory.settle('a', as('mpd', 'device'));
  memory.settle('a', as('mpd', 'partner'));
  assert.equal(memory.settle('a', UNKNOWN_DEVICE), UNKNOWN_DEVICE);
  memory.settle('a', as('mpd', 'userAgent'));
  memory.settle('a', as('vlc', 'userAgent'));
  assert.equal(nameOf(memory.settle('a', UNKNOWN_DEVICE)), 'vlc by serial');
  assert.equal(nameOf(memory.settle('a', as('mpv', 'device'))), 'mpv by device');
});

test('who calls without a name has called', () => {
  const memory = new SerialMemory(2);
  for (const serial of ['a', 'b']) memory.settle(serial, as('mpd', 'userAgent'));
  memory.settle('a', UNKNOWN_DEVICE);
  memory.settle('c', as('mpd', 'userAgent'));
  assert.deepEqual(
    ['a', 'b', 'c'].map((serial) => memory.settle(serial, UNKNOWN_DEVICE).source),
    ['serial', 'nothing', 'serial'],
  );
});

test('a serial is kept as a hash that no other process can make', () => {
  const memory = new SerialMemory();
  assert.equal(memory.keyOf('maker 0011AABB'), memory.keyOf('maker 0011AABB'));
  assert.notEqual(memory.keyOf('maker 0011AABB'), memory.keyOf('maker 0011AABC'));
  assert.notEqual(memory.keyOf('maker 0011AABB'), new SerialMemory().keyOf('maker 0011AABB'));
  assert.doesNotMatch(memory.keyOf('maker 0011AABB'), /0011/);
});

test('it forgets who called longest ago', () => {
  const memory = new SerialMemory(2);
  for (const serial of ['a', 'b', 'a', 'c']) memory.settle(serial, as('mpd', 'userAgent'));
  assert.deepEqual(
    ['a', 'b', 'c'].map((serial) => memory.settle(serial, UNKNOWN_DEVICE).source),
    ['serial', 'nothing', 'serial'],
  );
});

test('what one process learns of a device the others of its machine know, and nothing is told twice', () => {
  const told: [string, unknown][] = [];
  const listeners: ((what: unknown) => void)[] = [];
  const siblings = {
    tell: (about: string, what: unknown) => void told.push([about, what]),
    onTold: (_about: string, listener: (what: unknown) => void) => void listeners.push(listener),
  };
  const [one, other] = [1, 2].map(() => new SerialMemory(undefined, { salt: 'shared', siblings }));
  assert.ok(one && other);
  const key = one.keyOf('maker 0011AABB');
  assert.equal(other.keyOf('maker 0011AABB'), key);
  one.settle(key, as('linn', 'userAgent'));
  one.settle(key, as('linn', 'userAgent'));
  assert.equal(told.length, 1);
  assert.doesNotMatch(JSON.stringify(told), /0011/);
  listeners[1]?.(told[0]?.[1]);
  assert.equal(nameOf(other.settle(key, UNKNOWN_DEVICE)), 'linn by serial');
  assert.equal(told.length, 1, 'what was told is not told back');
});
