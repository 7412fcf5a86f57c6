const LOOK_MS = 20;

/** Sees when acknowledged writes stop and when they come again. */
export class WriteGaps implements Disposable {
  readonly #timer: NodeJS.Timeout;
  #last: number;
  #lastMs = performance.now();
  #startedMs = performance.now();
  #longestMs = 0;
  #backMs = 0;

  constructor(acknowledged: () => number) {
    this.#last = acknowledged();
    this.#timer = setInterval(() => this.#look(acknowledged()), LOOK_MS);
  }

  /** From now on. */
  begin(): void {
    this.#startedMs = performance.now();
    this.#longestMs = 0;
    this.#backMs = this.#startedMs;
  }

  /** Seconds since the beginning until the end of the longest time in which no write was acknowledged, and that time. */
  measured(): { backAfter: number; longest: number } {
    return { backAfter: (this.#backMs - this.#startedMs) / 1000, longest: this.#longestMs / 1000 };
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #look(acknowledged: number): void {
    if (acknowledged === this.#last) return;
    const now = performance.now();
    const gapMs = now - Math.max(this.#lastMs, this.#startedMs);
    if (gapMs > this.#longestMs) [this.#longestMs, this.#backMs] = [gapMs, now];
    [this.#last, this.#lastMs] = [acknowledged, now];
  }
}
