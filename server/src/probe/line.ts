/** So long others have to be heard before the fault is taken to be ours. */
const HOLD_MS = 10_000;
/** So few that reach nobody may each be to blame: a house may have three stations, and all of them off the air. */
const FEW = 3;

/**
 * Whether our own line to the internet is up. Who could reach nobody waits here for a word from anybody else: one that
 * came after it set out says that the line is up, and the stream is at fault. When none comes and many wait, the line is
 * down, and nothing is known of any of them. Judged one by one as they fail, the first would be blamed wrongly.
 */
export class Line {
  readonly #holdMs: number;
  readonly #waiting = new Set<(isDown: boolean) => void>();
  #answeredMs = -Infinity;
  #isDown = false;

  constructor(holdMs = HOLD_MS) {
    this.#holdMs = holdMs;
  }

  /** Somebody answered, whatever they said. */
  answered(): void {
    this.#answeredMs = performance.now();
    this.#isDown = false;
    this.#tellAll(false);
  }

  /** For one that set out then (by `performance.now`) and reached nobody: whether that is our fault. */
  async isDown(setOutMs: number): Promise<boolean> {
    if (this.#isDown || this.#answeredMs >= setOutMs) return this.#isDown;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#waiting.add(resolve);
    const timer = setTimeout(() => this.#giveUp(resolve), this.#holdMs);
    const isDown = await promise;
    clearTimeout(timer);
    return isDown;
  }

  #giveUp(one: (isDown: boolean) => void): void {
    this.#isDown = this.#waiting.size > FEW;
    if (this.#isDown) return this.#tellAll(true);
    this.#waiting.delete(one);
    one(false);
  }

  #tellAll(isDown: boolean): void {
    for (const tell of this.#waiting) tell(isDown);
    this.#waiting.clear();
  }
}
