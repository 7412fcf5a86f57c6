import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clockText } from './clock-text.ts';

test('a time is written as on a clock', () => {
  assert.deepEqual([0, 75, 3675, -3, 59.9].map(clockText), ['0:00', '1:15', '1:01:15', '0:00', '0:59']);
});
