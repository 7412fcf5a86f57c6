import type { Clock } from './clock.ts';

interface Bucket {
  tokens: number;
  atMs: number;
}

export interface BucketLimits {
  perSecond: number;
  /** Tokens available after a quiet time. */
  burst: number;
}

/** Buckets of one kind, as whoever must decide at once uses them. */
export interface RateBuckets {
  take(key: string, limits: BucketLimits, nowMs: number, kept?: number): number;
}

/** A token of one bucket. */
export interface BucketClaim {
  key: string;
  limits: BucketLimits;
}

/** The bucket that had no token, by its place among those asked for, and the seconds until it has one. */
export interface Shortage {
  index: number;
  waitSeconds: number;
}

/** Buckets that count exactly, over all processes if there are several; then the answer comes later. */
export interface ExactBuckets {
  /** Takes a token of each, or none and returns what was missing. */
  takeAll(claims: readonly BucketClaim[]): Shortage | undefined | Promise<Shortage | undefined>;
  /** Returns unused tokens. */
  giveAllBack(claims: readonly BucketClaim[]): void;
}

/**
 * One token bucket per key. Memory is bounded whatever keys come: buckets live in two generations, and when the young
 * one is full the old one is dropped. A dropped bucket counts as full, so a flood of invented keys can at worst reset a
 * caller's limit.
 */
export class TokenBuckets implements RateBuckets {
  readonly #most: number;
  #young = new Map<string, Bucket>();
  #old = new Map<string, Bucket>();

  constructor(most = 50_000) {
    this.#most = most;
  }

  /**
   * Takes a token and returns 0; without one, returns the seconds until there is one. `kept` tokens are reserved for
   * others.
   */
  take(key: string, { perSecond, burst }: BucketLimits, nowMs: number, kept = 0): number {
    const bucket = this.#young.get(key) ?? this.#adopt(key, burst, nowMs);
    const refilled = bucket.tokens + ((nowMs - bucket.atMs) * perSecond) / 1000;
    bucket.tokens = refilled > burst ? burst : refilled;
    bucket.atMs = nowMs;
    if (bucket.tokens < 1 + kept) return (1 + kept - bucket.tokens) / perSecond;
    bucket.tokens -= 1;
    return 0;
  }

  /** Returns an unused token. */
  giveBack(key: string, { burst }: BucketLimits): void {
    const bucket = this.#young.get(key) ?? this.#old.get(key);
    if (bucket) bucket.tokens = Math.min(burst, bucket.tokens + 1);
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  #adopt(key: string, burst: number, nowMs: number): Bucket {
    const bucket = this.#old.get(key) ?? { tokens: burst, atMs: nowMs };
    if (this.#young.size >= this.#most) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, bucket);
    return bucket;
  }
}

/** Those of this process alone. */
export class OwnBuckets implements ExactBuckets {
  readonly #clock: Pick<Clock, 'elapsedMs'>;
  readonly #buckets = new TokenBuckets();

  constructor(clock: Pick<Clock, 'elapsedMs'>) {
    this.#clock = clock;
  }

  takeAll(claims: readonly BucketClaim[]): Shortage | undefined {
    const nowMs = this.#clock.elapsedMs();
    for (const [index, { key, limits }] of claims.entries()) {
      const waitSeconds = this.#buckets.take(key, limits, nowMs);
      if (waitSeconds === 0) continue;
      this.giveAllBack(claims.slice(0, index));
      return { index, waitSeconds };
    }
    return undefined;
  }

  giveAllBack(claims: readonly BucketClaim[]): void {
    for (const { key, limits } of claims) this.#buckets.giveBack(key, limits);
  }
}
