import { scheduler } from 'node:timers/promises';

const TURN_MS = 5;

/** Does something with every item, in turns of some milliseconds: requests that wait are answered in between. */
export async function inTurns<T>(items: readonly T[], work: (item: T, index: number) => void): Promise<void> {
  let turnEndsMs = performance.now() + TURN_MS;
  for (let index = 0; index < items.length; index++) {
    work(items[index]!, index);
    if (index % 64 === 0 && performance.now() > turnEndsMs) {
      await scheduler.yield();
      turnEndsMs = performance.now() + TURN_MS;
    }
  }
}
