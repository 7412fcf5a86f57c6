import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachYielding, pause, systemClock } from './clock.ts';
import { ManualClock } from '../../test/time/manual-clock.ts';

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

test('every item is taken once, in order, and others get their turn in between', async () => {
  const items = Array.from({ length: 20_000 }, (_none, index) => index);
  const taken: number[] = [];
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  await forEachYielding(items, (item, index) => {
    taken.push(item + index);
    for (const until = performance.now() + 0.003; performance.now() < until;);
  });
  clearInterval(timer);
  assert.deepEqual(
    taken,
    items.map((item) => 2 * item),
  );
  assert.ok(turns > 3, `${turns} turns for others`);
});
