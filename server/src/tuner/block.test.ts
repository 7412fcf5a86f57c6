import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Block } from './block.ts';

const filled = (byte: number, length: number): Buffer => Buffer.alloc(length, byte);

test('what is added stands side by side, also when it becomes more than a block holds', () => {
  using block = new Block();
  for (let byte = 1; byte <= 9; byte += 1) block.add(filled(byte, 10_000));
  assert.equal(block.length, 90_000);
  const expected = Buffer.concat(Array.from({ length: 9 }, (_none, index) => filled(index + 1, 10_000)));
  assert.ok(block.bytes.equals(expected));
});

test('a block that is done with shows nothing, takes nothing, and its memory serves the next', () => {
  const first = new Block();
  first.add(filled(1, 100));
  const memory = first.bytes.buffer;
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  first.add(filled(2, 100));
  assert.deepEqual([first.length, first.bytes.length], [0, 0]);
  using second = new Block();
  using third = new Block();
  assert.equal(second.bytes.buffer, memory);
  assert.notEqual(third.bytes.buffer, memory, 'given back twice, it is still lent only once');
});
