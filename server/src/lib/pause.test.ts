import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pause } from './pause.ts';

test('a pause ends by itself, or when it is called off, before or meanwhile', async () => {
  const stop = new AbortController();
  await pause(1, stop.signal);
  const started = performance.now();
  const long = pause(60_000, stop.signal);
  stop.abort();
  await long;
  await pause(60_000, stop.signal);
  assert.ok(performance.now() - started < 10_000);
});
