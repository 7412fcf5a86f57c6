import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock, systemClock } from './clock.ts';

test('a manual clock moves only when told to', () => {
  const clock = new ManualClock('2026-01-01T00:00:00Z');
  assert.equal(clock.now().toString(), '2026-01-01T00:00:00Z');
  clock.advance({ hours: 1, seconds: 1 });
  assert.equal(clock.now().toString(), '2026-01-01T01:00:01Z');
  assert.equal(clock.elapsedMs(), 3_601_000);
});

test('the system clock tells the time of day and only goes forward', () => {
  assert.ok(Math.abs(systemClock.now().epochMilliseconds - Date.now()) < 1000);
  const before = systemClock.elapsedMs();
  assert.ok(systemClock.elapsedMs() >= before);
});
