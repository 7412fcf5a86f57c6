/** Waiting for one thing to end; more would be a flood, and is told so at once. */
const MOST_WAITING = 50;

interface Ongoing {
  count: number;
  readonly waiting: Set<(hasEnded: boolean) => void>;
}

/** What is being done, by ids, and who waits for one of an id to be over. */
export class UnderWay {
  readonly #ongoing = new Map<string, Ongoing>();

  begin(ids: readonly string[]): void {
    for (const id of ids) {
      const ongoing = this.#ongoing.get(id) ?? { count: 0, waiting: new Set() };
      ongoing.count += 1;
      this.#ongoing.set(id, ongoing);
    }
  }

  end(ids: readonly string[]): void {
    for (const id of ids) {
      const ongoing = this.#ongoing.get(id);
      if (!ongoing) continue;
      ongoing.count -= 1;
      if (ongoing.count === 0) this.#ongoing.delete(id);
      for (const tell of ongoing.waiting) tell(true);
      ongoing.waiting.clear();
    }
  }

  /** True once one of this id is over; false when none is under way, or none ends in time, or too many wait. */
  oneEnds(id: string, untilMs: number): Promise<boolean> {
    const ongoing = this.#ongoing.get(id);
    const leftMs = untilMs - performance.now();
    if (!ongoing || leftMs <= 0 || ongoing.waiting.size >= MOST_WAITING) return Promise.resolve(false);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const tell = (hasEnded: boolean): void => {
      clearTimeout(timer);
      resolve(hasEnded);
    };
    const timer = setTimeout(() => {
      ongoing.waiting.delete(tell);
      resolve(false);
    }, leftMs);
    ongoing.waiting.add(tell);
    return promise;
  }
}
