import type { Clock } from '../../lib/clock.ts';
import type { BucketLimits } from '../../lib/token-buckets.ts';

/** What a process says of one bucket. */
export interface BookEntry extends BucketLimits {
  /** The bucket, so that nobody can read whose it is. */
  name: string;
  /** Tokens to take; negative for those that are given back. */
  spend: number;
  /** How full the process believes it to be: for a book that has lost what it knew. */
  known: number;
}

export interface BookAnswer {
  /** False where tokens were missing, and nothing was taken. */
  isTaken: boolean;
  /** How full each bucket is now; below 0 where more was spent than there was. */
  levels: readonly number[];
}

/** Where the buckets of several processes are counted. Each call may fail, or never be answered. */
export interface BucketBook {
  /** `exactly`: takes from all buckets or from none. Otherwise it was spent already, and is only counted. */
  exchange(entries: readonly BookEntry[], exactly: boolean): Promise<BookAnswer>;
}

/** Buckets of which less than this part is left are told to all processes. */
export const LOW = 1 / 2;
const MAX_BUCKETS = 100_000;

interface Page {
  tokens: number;
  atMs: number;
}

/** The book of one machine, kept by the first of its processes. */
export class MemoryBook implements BucketBook {
  readonly #clock: Pick<Clock, 'elapsedMs'>;
  readonly #onLow: (low: readonly [name: string, level: number][]) => void;
  /** Those used last are last; the others are forgotten first. */
  readonly #pages = new Map<string, Page>();

  constructor(clock: Pick<Clock, 'elapsedMs'>, onLow: (low: readonly [string, number][]) => void) {
    this.#clock = clock;
    this.#onLow = onLow;
  }

  async exchange(entries: readonly BookEntry[], exactly: boolean): Promise<BookAnswer> {
    const nowMs = this.#clock.elapsedMs();
    const before = entries.map((entry) => this.#levelOf(entry, nowMs));
    const isTaken = !exactly || entries.every(({ spend }, index) => (before[index] ?? 0) >= spend);
    if (!isTaken) return { isTaken, levels: before };
    const levels = entries.map(({ burst, spend }, index) => afterSpending(before[index] ?? 0, burst, spend));
    for (const [index, { name }] of entries.entries()) {
      this.#pages.delete(name);
      this.#pages.set(name, { tokens: levels[index] ?? 0, atMs: nowMs });
    }
    this.#forgetOldest();
    const low = entries.flatMap(({ name, burst }, index): [string, number][] =>
      (levels[index] ?? 0) < burst * LOW ? [[name, levels[index] ?? 0]] : [],
    );
    if (low.length > 0) this.#onLow(low);
    return { isTaken, levels };
  }

  #levelOf({ name, burst, perSecond, known }: BookEntry, nowMs: number): number {
    const page = this.#pages.get(name);
    return page ? refilled(page.tokens, { perSecond, burst }, nowMs - page.atMs) : Math.min(burst, known);
  }

  #forgetOldest(): void {
    for (const name of this.#pages.keys()) {
      if (this.#pages.size <= MAX_BUCKETS) return;
      this.#pages.delete(name);
    }
  }
}

export const refilled = (tokens: number, { perSecond, burst }: BucketLimits, elapsedMs: number): number =>
  Math.min(burst, tokens + (elapsedMs * perSecond) / 1000);

/** What was spent too much is not held against anybody for longer than it takes to fill the bucket once. */
const afterSpending = (level: number, burst: number, spend: number): number =>
  Math.min(burst, Math.max(-burst, level - spend));
