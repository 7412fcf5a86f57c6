import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Line } from './line.ts';

const HOLD_MS = 40;

test('when many reach nobody, none of them is to blame, not even the first', async () => {
  const line = new Line(HOLD_MS);
  const setOut = performance.now();
  const judged = await Promise.all(Array.from({ length: 20 }, () => line.isDown(setOut)));
  assert.ok(judged.every((isDown) => isDown));
});

test('a word from anybody that came after they set out says that the line is up', async () => {
  const line = new Line(10_000);
  const setOut = performance.now();
  const judged = Array.from({ length: 20 }, () => line.isDown(setOut));
  line.answered();
  assert.ok((await Promise.all(judged)).every((isDown) => !isDown));
  assert.equal(await line.isDown(setOut), false, 'and for those that fail later');
});

test('a word from before they set out says nothing', async () => {
  const line = new Line(HOLD_MS);
  line.answered();
  const setOut = performance.now() + 1;
  const judged = await Promise.all(Array.from({ length: 5 }, () => line.isDown(setOut)));
  assert.ok(judged.every((isDown) => isDown));
});

test('a few streams that are alone here may all be off the air', async () => {
  const line = new Line(HOLD_MS);
  const setOut = performance.now();
  assert.deepEqual(await Promise.all([line.isDown(setOut), line.isDown(setOut), line.isDown(setOut)]), [
    false,
    false,
    false,
  ]);
});

test('while the line is down nobody waits to hear so, and the first word ends it', async () => {
  const line = new Line(HOLD_MS);
  const setOut = performance.now();
  await Promise.all(Array.from({ length: 5 }, () => line.isDown(setOut)));
  const asked = performance.now();
  assert.equal(await line.isDown(asked), true);
  assert.ok(performance.now() - asked < HOLD_MS / 2);
  line.answered();
  assert.equal(await line.isDown(asked), false);
});
