import type { Clock } from '../lib/clock.ts';
import { MOST_WANTED, type PlayingStore, WANTED_MS } from './store.ts';

const FLUSH_MS = 1000;
/** Well within the time that a station stays wanted: however many callers ask, the store hears of it once a minute. */
const AGAIN_MS = WANTED_MS / 5;

/** Which stations the callers of this process ask about, told to the store once a second and never while they wait. */
export class Demand implements AsyncDisposable {
  readonly #store: Pick<PlayingStore, 'ask'>;
  readonly #clock: Clock;
  readonly #fresh = new Set<number>();
  /** When the store was last told of a station. */
  readonly #toldAtMs = new Map<number, number>();
  readonly #timer: NodeJS.Timeout;
  #flushing: Promise<void> | undefined;

  constructor(store: Pick<PlayingStore, 'ask'>, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    this.#timer = setInterval(() => void this.flush(), FLUSH_MS).unref();
  }

  /** True when nobody asked lately. */
  add(stationId: number): boolean {
    const toldAtMs = this.#toldAtMs.get(stationId);
    const ageMs = toldAtMs === undefined ? Infinity : this.#clock.elapsedMs() - toldAtMs;
    if (ageMs >= AGAIN_MS && this.#fresh.size < MOST_WANTED) this.#fresh.add(stationId);
    return ageMs >= WANTED_MS;
  }

  /** The store may have lost what it was told. */
  forget(): void {
    this.#toldAtMs.clear();
  }

  flush(): Promise<void> {
    return (this.#flushing ??= this.#flush().finally(() => (this.#flushing = undefined)));
  }

  sweep(): void {
    const since = this.#clock.elapsedMs() - WANTED_MS;
    for (const [id, at] of this.#toldAtMs) if (at <= since) this.#toldAtMs.delete(id);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.#flushing;
  }

  async #flush(): Promise<void> {
    const ids = [...this.#fresh];
    if (ids.length === 0) return;
    this.#fresh.clear();
    const now = this.#clock.elapsedMs();
    for (const id of ids) this.#toldAtMs.set(id, now);
    try {
      await this.#store.ask(ids);
    } catch {
      // The store says itself that it is away; who asks again is told to it again.
      for (const id of ids) this.#toldAtMs.delete(id);
    }
  }
}
