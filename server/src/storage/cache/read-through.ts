import { LRUCache } from 'lru-cache';
import { type Clock, systemClock } from '../../lib/clock.ts';
import { withDeadline } from '../../lib/deadlines/deadline.ts';
import { databaseWait } from '../db/wait-factor.ts';
import { Fault } from '../../lib/fault.ts';
import { atDatabase } from './at-database.ts';
import { isAway, unavailable } from './away.ts';

export interface ReadThroughOptions<V, Source = void> {
  /** Loads a missing entry; one load at a time per key. */
  load: (key: string, source: Source) => Promise<V>;
  /** Maximum number of entries, or their total weight; the least recently used are evicted first. */
  most: number;
  /** The weight of a value, for values of very different sizes; 1 by default. */
  weightOf?: (value: V) => number;
  /** How long a value is used without reloading. */
  freshMs: number;
  /** How long an old value is returned while it is reloaded; later callers wait. `staleMs` by default. */
  lateMs?: number;
  /** How long an old value is returned when it cannot be reloaded. */
  staleMs: number;
  /** How long a caller without an old value waits. */
  deadlineMs?: number;
  clock?: Pick<Clock, 'elapsedMs'>;
}

/** `value` is wrapped, so that "there is none" can be cached too. */
interface Entry<V> {
  value: V;
  readAtMs: number;
}

/** Shorter than the second within which a caller must get a response, and longer than any statement of a call takes. */
const DEADLINE_MS = 800;
/** While the source is unreachable, old values are returned without querying it, except once per interval. */
const PAUSE_MS = 1000;

/**
 * A cache in front of the database. Concurrent callers of one key share one load; an old value is returned while it is
 * reloaded, and for as long as it cannot be. Only a caller for whom there is no value at all gets the fault that the
 * database is unreachable.
 */
export class ReadThrough<V, Source = void> {
  readonly #options: ReadThroughOptions<V, Source>;
  readonly #entries: LRUCache<string, Entry<V>>;
  readonly #flights = new Map<string, Promise<V>>();
  readonly #clock: Pick<Clock, 'elapsedMs'>;
  #quietUntilMs = 0;
  #hits = 0;
  #misses = 0;

  constructor(options: ReadThroughOptions<V, Source>) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    const { most, weightOf } = options;
    this.#entries = weightOf
      ? new LRUCache({ maxSize: most, sizeCalculation: ({ value }) => 1 + Math.ceil(weightOf(value)) })
      : new LRUCache({ max: most });
  }

  /** `source` carries what the loader needs beyond the key; it is not cached. */
  async get(key: string, source: Source): Promise<V> {
    const now = this.#clock.elapsedMs();
    const entry = this.#entries.get(key);
    const { freshMs, staleMs, lateMs = staleMs } = this.#options;
    const ageMs = entry ? now - entry.readAtMs : Infinity;
    if (entry && ageMs < staleMs) this.#hits += 1;
    else this.#misses += 1;
    if (entry && ageMs < freshMs) return entry.value;
    if (!entry || ageMs >= staleMs) return this.#inTime(() => this.#read(key, source));
    if (now < this.#quietUntilMs) return entry.value;
    if (ageMs >= lateMs) return this.#inTime(() => this.#read(key, source)).catch(unlessAway(entry.value));
    this.#read(key, source).catch(() => undefined);
    return entry.value;
  }

  /** A value that needs no reload. */
  fresh(key: string): V | undefined {
    const entry = this.#entries.get(key);
    return entry && this.#clock.elapsedMs() - entry.readAtMs < this.#options.freshMs
      ? entry.value
      : undefined;
  }

  /** A value recent enough to be returned while it is reloaded. */
  recent(key: string): V | undefined {
    const { staleMs, lateMs = staleMs } = this.#options;
    const entry = this.#entries.get(key);
    return entry && this.#clock.elapsedMs() - entry.readAtMs < lateMs ? entry.value : undefined;
  }

  /** Any value that has not expired, without loading. */
  peek(key: string): V | undefined {
    const entry = this.#entries.peek(key);
    return entry && this.#clock.elapsedMs() - entry.readAtMs < this.#options.staleMs
      ? entry.value
      : undefined;
  }

  /** The next caller loads it again, also if it is being loaded: that may show what was there before a change. */
  forget(key: string): void {
    this.#entries.delete(key);
    this.#flights.delete(key);
  }

  clear(): void {
    this.#entries.clear();
    this.#flights.clear();
  }

  /** For the metrics; entries without a weight count one byte each. */
  use(): { hits: number; misses: number; entries: number; bytes: number; maxBytes: number } {
    const { size, calculatedSize } = this.#entries;
    const bytes = this.#options.weightOf ? calculatedSize : size;
    return { hits: this.#hits, misses: this.#misses, entries: size, bytes, maxBytes: this.#options.most };
  }

  #read(key: string, source: Source): Promise<V> {
    const underWay = this.#flights.get(key);
    if (underWay) return underWay;
    const isCurrent = (): boolean => this.#flights.get(key) === flight;
    const flight = this.#load(key, source, isCurrent).finally(() => {
      if (isCurrent()) this.#flights.delete(key);
    });
    this.#flights.set(key, flight);
    return flight;
  }

  async #load(key: string, source: Source, isCurrent: () => boolean): Promise<V> {
    try {
      const value = await this.#options.load(key, source);
      if (isCurrent()) this.#entries.set(key, { value, readAtMs: this.#clock.elapsedMs() });
      return value;
    } catch (error) {
      if (!isAway(error)) throw error;
      this.#quietUntilMs = this.#clock.elapsedMs() + PAUSE_MS;
      throw unavailable(error);
    }
  }

  #inTime(read: () => Promise<V>): Promise<V> {
    const deadlineMs = databaseWait(this.#options.deadlineMs ?? DEADLINE_MS);
    return atDatabase(() => withDeadline(read(), deadlineMs, () => unavailable()));
  }
}

/** Returns the old value when the source is unreachable; bugs of ours still throw. */
const unlessAway =
  <V>(old: V) =>
  (error: unknown): V => {
    if (error instanceof Fault && error.status === 503) return old;
    throw error;
  };

/**
 * For data from feeds: shows, their topics, menus of them. Saving a feed, at a thousand per second, invalidates
 * nothing, so a menu is reloaded after half a minute. The first caller after five minutes waits for the new value, and
 * gets the old one while the database is unreachable.
 */
export const FED = { freshMs: 30_000, lateMs: 5 * 60_000, staleMs: 24 * 3_600_000 } as const;
