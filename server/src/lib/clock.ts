/** Where the time comes from, so that a test can hold it still. Durations are measured by `elapsedMs`, never by `now`. */
export interface Clock {
  now(): Temporal.Instant;
  /** The same in milliseconds since 1970; a tenth of what an instant costs. */
  epochMs(): number;
  /** Milliseconds since some fixed moment; never jumps when the wall clock is set. */
  elapsedMs(): number;
}

export const systemClock: Clock = {
  now: () => Temporal.Now.instant(),
  epochMs: () => Date.now(),
  elapsedMs: () => performance.now(),
};

/** A clock that moves only when told to. */
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
