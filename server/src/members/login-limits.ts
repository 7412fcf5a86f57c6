import { LRUCache } from 'lru-cache';
import { type BucketLimits, TokenBuckets } from '../cache/token-buckets.ts';
import type { Clock } from '../lib/clock.ts';
import { Refusal } from '../lib/refusal.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;

const budget = (count: number, seconds: number): BucketLimits => ({
  perSecond: count / seconds,
  burst: count,
});

/** How many wrong passwords there may be. */
export const FAILURES = {
  /** Of one name from a network that its owner signed in from: nobody elsewhere uses them up. */
  known: budget(10, 15 * MINUTE),
  /** Of one name, from all other networks together. */
  strangers: budget(10, HOUR),
  /** From one address, whatever names it tries. */
  address: budget(30, HOUR),
  /** Different names from one address. */
  names: budget(10, HOUR),
} as const;

export type FailureLimits = Readonly<Record<keyof typeof FAILURES, BucketLimits>>;

export interface Attempt {
  /** In lower case, and the same whether there is such a name or not. */
  name: string;
  address: string;
  network: string;
}

/** A name that an address tried within the hour is not a different one again. */
const MOST_TRIED = 100_000;

/** Shorter than the most impatient radio waits. */
const HOLD_MS = 1000;

interface Taken {
  kind: keyof FailureLimits;
  key: string;
}

/** Counts wrong passwords. Every attempt is taken for a wrong one until it proves right. */
export class LoginLimits {
  readonly #clock: Clock;
  readonly #limits: FailureLimits;
  readonly #buckets = {
    known: new TokenBuckets(),
    strangers: new TokenBuckets(),
    address: new TokenBuckets(),
    names: new TokenBuckets(),
  };
  readonly #tried: LRUCache<string, true>;

  constructor(clock: Clock, limits: FailureLimits = FAILURES) {
    this.#clock = clock;
    this.#limits = limits;
    this.#tried = new LRUCache({ max: MOST_TRIED, ttl: HOUR * 1000, ttlResolution: 0, perf: perfOf(clock) });
  }

  /** Lets an attempt of an address on and gives what takes it back when it was right, or refuses it. */
  takeOfAddress({ name, address }: Attempt): () => void {
    const pair = `${address} ${name}`;
    const isNew = !this.#tried.has(pair);
    const wanted: Taken[] = [{ kind: 'address', key: address }];
    if (isNew) wanted.push({ kind: 'names', key: address });
    this.#takeAll(wanted);
    this.#tried.set(pair, true);
    return () => {
      this.#giveBack(wanted);
      if (isNew) this.#tried.delete(pair);
    };
  }

  /** The same for the name that is tried. */
  takeOfName({ name, network }: Attempt, isKnown: boolean): () => void {
    const wanted: Taken[] = [
      isKnown ? { kind: 'known', key: `${network} ${name}` } : { kind: 'strangers', key: name },
    ];
    this.#takeAll(wanted);
    return () => this.#giveBack(wanted);
  }

  #takeAll(wanted: readonly Taken[]): void {
    const nowMs = this.#clock.elapsedMs();
    for (const [index, { kind, key }] of wanted.entries()) {
      const wait = this.#buckets[kind].take(key, this.#limits[kind], nowMs);
      if (wait === 0) continue;
      this.#giveBack(wanted.slice(0, index));
      throw tooMany(wait);
    }
  }

  #giveBack(taken: readonly Taken[]): void {
    for (const { kind, key } of taken) this.#buckets[kind].giveBack(key, this.#limits[kind]);
  }
}

/** For a cache, which takes a moment 0 for none. */
export const perfOf = (clock: Clock): { now: () => number } => ({ now: () => 1 + clock.elapsedMs() });

/** The same words whatever was used up: they tell nothing about the name. */
const tooMany = (waitSeconds: number): Refusal =>
  new Refusal(
    429,
    'request.tooMany',
    'Too many wrong passwords; wait as long as Retry-After says',
    Math.max(1, Math.ceil(waitSeconds)),
    HOLD_MS,
  );
