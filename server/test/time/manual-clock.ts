import type { Clock } from '../../src/lib/clock.ts';

/** A clock that only moves when a test moves it. */
export class ManualClock implements Clock {
  #now: Temporal.Instant;
  #elapsedMs = 0;

  constructor(start: string) {
    this.#now = Temporal.Instant.from(start);
  }

  now(): Temporal.Instant {
    return this.#now;
  }

  epochMs(): number {
    return this.#now.epochMilliseconds;
  }

  elapsedMs(): number {
    return this.#elapsedMs;
  }

  advance(duration: Temporal.DurationLike): void {
    const later = this.#now.add(duration);
    this.#elapsedMs += later.epochMilliseconds - this.#now.epochMilliseconds;
    this.#now = later;
  }
}
