import type { Clock } from '../../lib/clock.ts';
import { Refusal } from '../../lib/fault.ts';
import { type BucketLimits, TokenBuckets } from '../../lib/token-buckets.ts';
import { emailKey } from './accounts.ts';
import { loginNetworkOf } from './login/known-networks.ts';

const HOUR = 3600;
const per = (seconds: number, burst: number): BucketLimits => ({ perSecond: burst / seconds, burst });

/** How often one household or office may make calls that are costly for others; all limits of a kind apply together. */
export const BUDGETS = {
  /** Also limits probing whether a name or an e-mail address is registered. */
  create: [per(HOUR, 5), per(24 * HOUR, 20)],
  claim: [per(HOUR, 60)],
  /** Radios without a registered maker that save something for the first time: each gets an account. */
  newRadio: [per(HOUR, 30), per(24 * HOUR, 100)],
  mail: [per(HOUR, 20)],
  /** Reports that a person has to read. */
  ticket: [per(HOUR, 10)],
  /** Automatic reports by radios; a house has several, and each tries several streams. */
  streamReport: [per(HOUR, 120)],
} as const satisfies Record<string, readonly BucketLimits[]>;

/** Mails of a kind per hour to one mailbox, whoever requests them. */
const PER_MAILBOX = per(HOUR, 3);

/**
 * Mails the recipient requested, and notices of a change. Counted separately: notices must leave room for the link they
 * recommend requesting, and requests for links must not block the notices.
 */
export type MailKind = 'asked' | 'news';

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

  /** Admits a call and returns a function that takes it back, or throws a refusal. */
  take(kind: keyof BudgetLimits, address: string): () => void {
    const keyOf = (index: number): string => `${kind} ${index} ${loginNetworkOf(address)}`;
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

  /** Counts a mail against the mailbox's limit; false when the limit is reached. */
  hasRoomFor(email: string, kind: MailKind = 'asked'): boolean {
    return this.#mailboxes.take(`${kind} ${emailKey(email)}`, PER_MAILBOX, this.#clock.elapsedMs()) === 0;
  }
}

const tooMany = (waitSeconds: number): Refusal =>
  new Refusal(
    429,
    'request.tooMany',
    'Too many of these requests from your network; wait as long as Retry-After says',
    Math.max(1, Math.ceil(waitSeconds)),
  );
