import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { Turns } from './turns.ts';

test('one has the turn at a time, in the order they asked; one that ends gives it up or waits no longer', async () => {
  const turns = new Turns<string>();
  const had: string[] = [];
  const take = (holder: string): void => void turns.take(holder).then(() => had.push(holder));
  for (const holder of ['a', 'b', 'c', 'd']) take(holder);
  await setImmediate();
  assert.deepEqual(had, ['a']);
  turns.end('c');
  await setImmediate();
  assert.deepEqual(had, ['a'], 'one that waited has ended');
  turns.end('a');
  turns.end('a');
  await setImmediate();
  assert.deepEqual(had, ['a', 'b'], 'a turn that is given up twice is passed on once');
  turns.end('b');
  await setImmediate();
  assert.deepEqual(had, ['a', 'b', 'd']);
  turns.end('d');
  take('a');
  await setImmediate();
  assert.deepEqual(had, ['a', 'b', 'd', 'a']);
});
