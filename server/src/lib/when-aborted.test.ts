import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { whenAborted } from './when-aborted.ts';

test('all that wait for a signal are told once, those that left are not, and it has one listener', () => {
  const stop = new AbortController();
  const told: number[] = [];
  const undo = Array.from({ length: 300 }, (_none, place) =>
    whenAborted(stop.signal, () => told.push(place)),
  );
  assert.equal(getEventListeners(stop.signal, 'abort').length, 1);
  for (const take of undo.slice(2)) take();
  stop.abort();
  stop.abort();
  assert.deepEqual(told, [0, 1]);
});
