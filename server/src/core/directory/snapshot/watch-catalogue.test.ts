import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../../lib/clock.ts';
import { CoalescedTask } from './watch-catalogue.ts';

const PAUSE_MS = 150;

/** Work that lasts until it is let go. */
class HeldWork {
  readonly startsMs: number[] = [];
  #end = Promise.withResolvers<boolean>();

  readonly work = (): Promise<boolean> => {
    this.startsMs.push(performance.now());
    this.#end = Promise.withResolvers();
    return this.#end.promise;
  };

  letGo(wasThereWork = true): void {
    this.#end.resolve(wasThereWork);
  }

  async started(runs: number): Promise<void> {
    while (this.startsMs.length < runs) await sleep(1);
    assert.equal(this.startsMs.length, runs);
  }
}

test('many askings are one run at once, and one more after the pause', async () => {
  const held = new HeldWork();
  await using paced = new CoalescedTask(held.work, PAUSE_MS, systemClock);
  for (let asked = 0; asked < 50; asked++) paced.ask();
  await held.started(1);
  for (let asked = 0; asked < 50; asked++) paced.ask();
  const endedMs = performance.now();
  held.letGo();
  await held.started(2);
  // A timer may be a millisecond early.
  assert.ok(performance.now() - endedMs >= PAUSE_MS - 2, 'the pause starts when the work ends');
  held.letGo();
  await sleep(2 * PAUSE_MS);
  await held.started(2);
});

test('after a run that found nothing to do there is no pause', async () => {
  const held = new HeldWork();
  await using paced = new CoalescedTask(held.work, 600_000, systemClock);
  for (const runs of [1, 2, 3]) {
    paced.ask();
    await held.started(runs);
    held.letGo(false);
    await sleep(1);
  }
});

test('disposing waits for the work and starts no other', async () => {
  const held = new HeldWork();
  const paced = new CoalescedTask(held.work, 0, systemClock);
  paced.ask();
  await held.started(1);
  paced.ask();
  let isDisposed = false;
  const disposed = paced[Symbol.asyncDispose]().then(() => (isDisposed = true));
  await sleep(20);
  assert.equal(isDisposed, false);
  held.letGo();
  await disposed;
  paced.ask();
  await sleep(20);
  await held.started(1);
});
