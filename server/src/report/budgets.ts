import { type BucketLimits, TokenBuckets } from '../cache/token-buckets.ts';
import type { Call } from '../http/endpoint.ts';
import type { Clock } from '../lib/clock.ts';
import { Refusal } from '../lib/refusal.ts';
import { networkOf } from '../members/known-networks.ts';

const perHour = (burst: number): BucketLimits => ({ perSecond: burst / 3600, burst });

/** How often one house or office is listened to. */
export const BUDGETS = {
  /** What somebody has to read. */
  ticket: perHour(10),
  /** What radios say by themselves; a house has several, and each tries several streams. */
  stream: perHour(120),
} as const satisfies Record<string, BucketLimits>;

export class Budgets {
  readonly #clock: Clock;
  readonly #buckets = new TokenBuckets();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Lets a call on, or refuses it. */
  take(kind: keyof typeof BUDGETS, { caller }: Call): void {
    const key = `${kind} ${networkOf(caller.securityIp)}`;
    const wait = this.#buckets.take(key, BUDGETS[kind], this.#clock.elapsedMs());
    if (wait === 0) return;
    throw new Refusal(
      429,
      'request.tooMany',
      'Too many reports from your network; wait as long as Retry-After says',
      Math.max(1, Math.ceil(wait)),
    );
  }
}
