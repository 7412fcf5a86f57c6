import { scheduler, setTimeout as sleep } from 'node:timers/promises';

/** Injected, so that tests can stop the time. Durations are measured by `elapsedMs`, never by `now`. */
export interface Clock {
  now(): Temporal.Instant;
  /** Milliseconds since 1970; ten times cheaper than an instant. */
  epochMs(): number;
  /** Milliseconds since some fixed moment; never jumps when the wall clock is set. */
  elapsedMs(): number;
}

export const systemClock: Clock = {
  now: () => Temporal.Now.instant(),
  epochMs: () => Date.now(),
  elapsedMs: () => performance.now(),
};

/** Waits that long, or until the signal aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

const TURN_MS = 5;

/** Processes items in slices of a few milliseconds, so that pending requests are answered in between. */
export async function forEachYielding<T>(
  items: readonly T[],
  work: (item: T, index: number) => void,
): Promise<void> {
  let turnEndsMs = performance.now() + TURN_MS;
  for (let index = 0; index < items.length; index++) {
    work(items[index]!, index);
    if (index % 64 === 0 && performance.now() > turnEndsMs) {
      await scheduler.yield();
      turnEndsMs = performance.now() + TURN_MS;
    }
  }
}
