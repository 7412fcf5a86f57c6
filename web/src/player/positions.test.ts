import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clockText } from './clock-text.ts';
import { parsePositions } from './positions.ts';

test('what is kept of positions is read with care', () => {
  assert.deepEqual(parsePositions('[["t1",20],["t2",5]]'), [
    ['t1', 20],
    ['t2', 5],
  ]);
  for (const text of [null, '', '{', '{"t1":2}', '[1,["t1"],["t1","x"],[3,4]]'])
    assert.deepEqual(parsePositions(text), []);
});

test('a time is written as on a clock', () => {
  assert.deepEqual([0, 75, 3675, -3, 59.9].map(clockText), ['0:00', '1:15', '1:01:15', '0:00', '0:59']);
});
