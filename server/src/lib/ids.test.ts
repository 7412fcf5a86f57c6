import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shardedId, shardInId, shardOf, SHARDS } from './ids.ts';

test('a child id leads back to its parent shard', () => {
  for (const parent of [0, 1, 1023, 1024, 5_000_000, 2 ** 40 + 7]) {
    for (const serial of [1, 2, 135_000_000]) {
      assert.equal(shardInId(shardedId(serial, parent)), shardOf(parent));
    }
  }
});

test('two children of one parent, and one serial under two shards, never share an id', () => {
  assert.notEqual(shardedId(1, 5), shardedId(2, 5));
  assert.notEqual(shardedId(1, 5), shardedId(1, 6));
  assert.equal(shardedId(1, 5), shardedId(1, 5 + SHARDS));
});

test('an id past the safe range is refused, not rounded', () => {
  assert.throws(() => shardedId(2 ** 44, 0), RangeError);
});
