const MAX = 80;
const FRESH_MS = 60_000;

interface Entry {
  value: unknown;
  at: number;
}

/** Answers of the last minute, so that going back is immediate. The oldest is evicted when there are too many. */
export class Recent {
  readonly #entries = new Map<string, Entry>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  find(key: string): { value: unknown } | undefined {
    const entry = this.#entries.get(key);
    return entry && this.#now() - entry.at < FRESH_MS ? entry : undefined;
  }

  add(key: string, value: unknown): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, at: this.#now() });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > MAX && oldest !== undefined) this.#entries.delete(oldest);
  }

  /** Deletes all entries whose key has this prefix. */
  forget(prefix = ''): void {
    for (const key of this.#entries.keys()) if (key.startsWith(prefix)) this.#entries.delete(key);
  }
}
