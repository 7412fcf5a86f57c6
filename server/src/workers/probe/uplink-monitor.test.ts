import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UplinkMonitor } from './probe.ts';

const HOLD_MS = 40;

test('when many reach nobody, none of them is to blame, not even the first', async () => {
  const uplink = new UplinkMonitor(HOLD_MS);
  const setOut = performance.now();
  const judged = await Promise.all(Array.from({ length: 20 }, () => uplink.isDown(setOut)));
  assert.ok(judged.every((isDown) => isDown));
});

test('a word from anybody that came after they set out says that the uplink is up', async () => {
  const uplink = new UplinkMonitor(10_000);
  const setOut = performance.now();
  const judged = Array.from({ length: 20 }, () => uplink.isDown(setOut));
  uplink.answered();
  assert.ok((await Promise.all(judged)).every((isDown) => !isDown));
  assert.equal(await uplink.isDown(setOut), false, 'and for those that fail later');
});

test('a word from before they set out says nothing', async () => {
  const uplink = new UplinkMonitor(HOLD_MS);
  uplink.answered();
  const setOut = performance.now() + 1;
  const judged = await Promise.all(Array.from({ length: 5 }, () => uplink.isDown(setOut)));
  assert.ok(judged.every((isDown) => isDown));
});

test('a few streams that are alone here may all be off the air', async () => {
  const uplink = new UplinkMonitor(HOLD_MS);
  const setOut = performance.now();
  assert.deepEqual(await Promise.all([uplink.isDown(setOut), uplink.isDown(setOut), uplink.isDown(setOut)]), [
    false,
    false,
    false,
  ]);
});

test('while the uplink is down nobody waits to hear so, and the first word ends it', async () => {
  const uplink = new UplinkMonitor(HOLD_MS);
  const setOut = performance.now();
  await Promise.all(Array.from({ length: 5 }, () => uplink.isDown(setOut)));
  const asked = performance.now();
  assert.equal(await uplink.isDown(asked), true);
  assert.ok(performance.now() - asked < HOLD_MS / 2);
  uplink.answered();
  assert.equal(await uplink.isDown(asked), false);
});
