interface Bucket {
  tokens: number;
  atMs: number;
}

export interface BucketLimits {
  perSecond: number;
  /** What may come at once after a quiet time. */
  burst: number;
}

/**
 * Who asks how often, one bucket of tokens for each key. Memory has an end whatever keys come: buckets live in two
 * generations, and when the young one is full the old one is forgotten. A forgotten bucket is a full one, so a flood of
 * invented keys can at worst let a caller begin anew.
 */
export class TokenBuckets {
  readonly #most: number;
  #young = new Map<string, Bucket>();
  #old = new Map<string, Bucket>();

  constructor(most = 50_000) {
    this.#most = most;
  }

  /**
   * Takes a token and says 0; without one, says in how many seconds there will be one. What is to be kept for others is
   * not taken.
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

  /** Gives a token back that was not needed after all. */
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
