interface Bucket {
  tokens: number;
  atMs: number;
}

export interface BucketLimits {
  perSecond: number;
  /** Tokens available after a quiet time. */
  burst: number;
}

/**
 * One token bucket per key. Memory is bounded whatever keys come: buckets live in two generations, and when the young
 * one is full the old one is dropped. A dropped bucket counts as full, so a flood of invented keys can at worst reset a
 * caller's limit.
 */
export class TokenBuckets {
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
