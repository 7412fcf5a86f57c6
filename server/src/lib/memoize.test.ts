import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoize } from './memoize.ts';

test('computes once for each text and forgets when full', () => {
  const computed: string[] = [];
  const length = memoize((text) => {
    computed.push(text);
    return text.length;
  }, 2);
  assert.deepEqual(['a', 'bb', 'a', 'bb'].map(length), [1, 2, 1, 2]);
  assert.deepEqual(computed, ['a', 'bb']);
  assert.deepEqual(['ccc', 'a'].map(length), [3, 1]);
  assert.deepEqual(computed, ['a', 'bb', 'ccc', 'a']);
});
