import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LineShelf } from './line-slab.ts';

test('a slab is the same for the same key, until there is too much of all of them', () => {
  const shelf = new LineShelf(3 * 2 ** 20);
  const first = shelf.slab('a', 1000);
  assert.equal(shelf.slab('a', 1000), first);
  assert.notEqual(shelf.slab('b', 1000), first);
  const line = 'x'.repeat(100_000);
  for (let n = 0; n < 40; n += 1) first.add(n, line, line);
  assert.notEqual(shelf.slab('a', 1000), first, 'it has grown over what all may have');
  assert.ok(!shelf.slab('a', 1000).has(1));
});

test('hosts that somebody invents do not add up', () => {
  const shelf = new LineShelf(2 ** 20);
  const slabs = Array.from({ length: 100 }, (_, n) => shelf.slab(`host ${n}`, 10_000));
  assert.notEqual(shelf.slab('host 0', 10_000), slabs[0]);
});
