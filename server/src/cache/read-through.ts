import { LRUCache } from 'lru-cache';
import { type Clock, systemClock } from '../lib/clock.ts';
import { Fault } from '../lib/fault.ts';
import { isAway } from './is-away.ts';

export interface ReadThroughOptions<V, Source = void> {
  /** Reads what is not here; one reading at a time for each key. */
  load: (key: string, source: Source) => Promise<V>;
  /** Entries kept at most, or what they weigh; the least used go first. */
  most: number;
  /** What an answer weighs, for those of very different sizes; 1 unless told. */
  weightOf?: (value: V) => number;
  /** How long an answer is given without looking again. */
  freshMs: number;
  /** How long an old answer is given while one caller looks; who comes later waits for the new one. As `staleMs` unless told. */
  lateMs?: number;
  /** How long an old answer is given when nobody can look. */
  staleMs: number;
  /** How long a caller waits who has no old answer. */
  deadlineMs?: number;
  clock?: Pick<Clock, 'elapsedMs'>;
}

/** `value` is wrapped, so that "there is none" can be kept too. */
interface Kept<V> {
  value: V;
  readAtMs: number;
}

/** Shorter than a second, within which a caller must know, and longer than any statement of a call takes. */
const DEADLINE_MS = 800;
/** While the source is away, old answers of all keys are given without asking it, but for one question in so long. */
const PAUSE_MS = 1000;

/**
 * What was read from the database lately. Of many callers who want one thing one reads; an old answer is given while
 * it is read again, and for as long as it cannot be. Only a caller for whom there is nothing at all learns that the
 * database is away.
 */
export class ReadThrough<V, Source = void> {
  readonly #options: ReadThroughOptions<V, Source>;
  readonly #kept: LRUCache<string, Kept<V>>;
  readonly #flights = new Map<string, Promise<V>>();
  readonly #clock: Pick<Clock, 'elapsedMs'>;
  #quietUntilMs = 0;

  constructor(options: ReadThroughOptions<V, Source>) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    const { most, weightOf } = options;
    this.#kept = weightOf
      ? new LRUCache({ maxSize: most, sizeCalculation: ({ value }) => 1 + Math.ceil(weightOf(value)) })
      : new LRUCache({ max: most });
  }

  /** The source is what is read from where the key alone does not tell; it is not kept. */
  async get(key: string, source: Source): Promise<V> {
    const now = this.#clock.elapsedMs();
    const kept = this.#kept.get(key);
    const { freshMs, staleMs, lateMs = staleMs } = this.#options;
    const ageMs = kept ? now - kept.readAtMs : Infinity;
    if (kept && ageMs < freshMs) return kept.value;
    if (!kept || ageMs >= staleMs) return this.#inTime(this.#read(key, source));
    if (now < this.#quietUntilMs) return kept.value;
    if (ageMs >= lateMs) return this.#inTime(this.#read(key, source)).catch(unlessAway(kept.value));
    this.#read(key, source).catch(() => undefined);
    return kept.value;
  }

  /** What is known so lately that nobody need look again. */
  fresh(key: string): V | undefined {
    const kept = this.#kept.get(key);
    return kept && this.#clock.elapsedMs() - kept.readAtMs < this.#options.freshMs ? kept.value : undefined;
  }

  /** What is known lately enough to be given while it is read again. */
  recent(key: string): V | undefined {
    const { staleMs, lateMs = staleMs } = this.#options;
    const kept = this.#kept.get(key);
    return kept && this.#clock.elapsedMs() - kept.readAtMs < lateMs ? kept.value : undefined;
  }

  /** What is known without reading, however old within its time. */
  peek(key: string): V | undefined {
    const kept = this.#kept.peek(key);
    return kept && this.#clock.elapsedMs() - kept.readAtMs < this.#options.staleMs ? kept.value : undefined;
  }

  /** So that the next caller reads it. */
  forget(key: string): void {
    this.#kept.delete(key);
  }

  clear(): void {
    this.#kept.clear();
  }

  #read(key: string, source: Source): Promise<V> {
    let flight = this.#flights.get(key);
    if (!flight) {
      flight = this.#load(key, source).finally(() => this.#flights.delete(key));
      this.#flights.set(key, flight);
    }
    return flight;
  }

  async #load(key: string, source: Source): Promise<V> {
    try {
      const value = await this.#options.load(key, source);
      this.#kept.set(key, { value, readAtMs: this.#clock.elapsedMs() });
      return value;
    } catch (error) {
      if (!isAway(error)) throw error;
      this.#quietUntilMs = this.#clock.elapsedMs() + PAUSE_MS;
      throw unavailable(error);
    }
  }

  async #inTime(flight: Promise<V>): Promise<V> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(unavailable()), this.#options.deadlineMs ?? DEADLINE_MS);
    try {
      return await Promise.race([flight, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** The old answer in place of the refusal; a mistake of ours stays one. */
const unlessAway =
  <V>(old: V) =>
  (error: unknown): V => {
    if (error instanceof Fault && error.status === 503) return old;
    throw error;
  };

/** The code of what is refused because the database is away. */
export const UNAVAILABLE = 'service.unavailable';

/** Says what still works, since most of it does. */
export const unavailable = (cause?: unknown): Fault =>
  Object.assign(
    new Fault(
      503,
      UNAVAILABLE,
      'The database does not answer just now; stations can be browsed and tuned all the same. Try again in a minute',
    ),
    { cause },
  );
