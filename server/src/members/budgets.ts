import { type BucketLimits, TokenBuckets } from '../cache/token-buckets.ts';
import type { Clock } from '../lib/clock.ts';
import { Refusal } from '../lib/refusal.ts';
import { emailKey } from './emails.ts';
import { networkOf } from './known-networks.ts';

const HOUR = 3600;
const per = (seconds: number, burst: number): BucketLimits => ({ perSecond: burst / seconds, burst });

/** How often one house or office may do what costs others something; all limits of a kind hold together. */
export const BUDGETS = {
  /** Also the only way to ask whether a name or an e-mail address is registered. */
  create: [per(HOUR, 5), per(24 * HOUR, 20)],
  claim: [per(HOUR, 60)],
  mail: [per(HOUR, 20)],
} as const satisfies Record<string, readonly BucketLimits[]>;

/** Letters of a kind an hour that one mailbox may get, whoever asks for them. */
const PER_MAILBOX = per(HOUR, 3);

/**
 * What was asked for, and news of a change. They are counted apart: news must leave room for the link that they advise to
 * ask for, and who asks for links must not keep the news away.
 */
export type LetterKind = 'asked' | 'news';

export type BudgetLimits = Readonly<Record<keyof typeof BUDGETS, readonly BucketLimits[]>>;

export class Budgets {
  readonly #clock: Clock;
  readonly #limits: BudgetLimits;
  readonly #buckets = new TokenBuckets();
  readonly #mailboxes = new TokenBuckets();

  constructor(clock: Clock, limits: BudgetLimits = BUDGETS) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /** Lets a call on and gives what takes it back, or refuses it. */
  take(kind: keyof BudgetLimits, address: string): () => void {
    const keyOf = (index: number): string => `${kind} ${index} ${networkOf(address)}`;
    const limits = this.#limits[kind];
    const giveBack = (count: number): void => {
      for (const [index, limit] of limits.slice(0, count).entries())
        this.#buckets.giveBack(keyOf(index), limit);
    };
    for (const [index, limit] of limits.entries()) {
      const wait = this.#buckets.take(keyOf(index), limit, this.#clock.elapsedMs());
      if (wait === 0) continue;
      giveBack(index);
      throw tooMany(wait);
    }
    return () => giveBack(limits.length);
  }

  /** Takes one from what a mailbox may get; false when it had enough. */
  hasRoomFor(email: string, kind: LetterKind = 'asked'): boolean {
    return this.#mailboxes.take(`${kind} ${emailKey(email)}`, PER_MAILBOX, this.#clock.elapsedMs()) === 0;
  }
}

const tooMany = (waitSeconds: number): Refusal =>
  new Refusal(
    429,
    'request.tooMany',
    'Too many of these from your network; wait as long as Retry-After says',
    Math.max(1, Math.ceil(waitSeconds)),
  );
