import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasEnded, isNearlyOver } from './go-on.ts';
import { type PlayerState, SILENCE } from './engine/state.ts';

const TALE = { kind: 'topic', guideId: 't1', name: 'A tale' } as const;
const state = (change: Partial<PlayerState>): PlayerState => ({
  ...SILENCE,
  item: TALE,
  status: 'playing',
  position: 30,
  duration: 600,
  ...change,
});

test('an episode has ended when it goes back to its beginning by itself, and only then', () => {
  const ended = state({ status: 'paused', position: 0 });
  assert.equal(hasEnded(state({ position: 599 }), ended), true);
  for (const [why, before, now] of [
    ['it was paused', state({}), state({ status: 'paused' })],
    ['it was paused before it was heard', state({ position: 0 }), ended],
    ['it is shown again after a reload', { ...SILENCE }, ended],
    ['a browser wants a click first', state({ status: 'loading' }), ended],
    ['another one was chosen', state({ item: { ...TALE, guideId: 't2' } }), ended],
    ['it plays', state({}), state({ position: 31 })],
    [
      'it is a station',
      state({ item: { ...TALE, kind: 'station' } }),
      state({ item: { ...TALE, kind: 'station' }, status: 'paused', position: 0 }),
    ],
  ] as const)
    assert.equal(hasEnded(before, now), false, why);
});

test('an episode counts as played with ten seconds left; a short one with a twentieth', () => {
  for (const [position, duration, isOver] of [
    [589, 600, false],
    [591, 600, true],
    [0, 600, false],
    [1.8, 2, false],
    [1.95, 2, true],
    [100, undefined, false],
  ] as const)
    assert.equal(isNearlyOver(state({ position, duration })), isOver, `${position} of ${duration}`);
  assert.equal(isNearlyOver(state({ item: undefined, position: 600 })), false);
});
