import type { Clock } from '../../lib/clock.ts';
import { Refusal } from '../../lib/fault.ts';
import {
  type BucketClaim,
  type BucketLimits,
  type ExactBuckets,
  OwnBuckets,
} from '../../lib/token-buckets.ts';
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
  readonly #limits: BudgetLimits;
  readonly #buckets: ExactBuckets;

  /** With buckets of all processes, where there are several. */
  constructor(clock: Clock, limits: BudgetLimits = BUDGETS, buckets: ExactBuckets = new OwnBuckets(clock)) {
    this.#limits = limits;
    this.#buckets = buckets;
  }

  /** Admits a call and returns a function that takes it back, or throws a refusal. */
  async take(kind: keyof BudgetLimits, address: string): Promise<() => void> {
    const network = loginNetworkOf(address);
    const claims: BucketClaim[] = this.#limits[kind].map((limits, index) => ({
      key: `${kind} ${index} ${network}`,
      limits,
    }));
    const shortage = await this.#buckets.takeAll(claims);
    if (shortage) throw tooMany(shortage.waitSeconds);
    return () => this.#buckets.giveAllBack(claims);
  }

  /** Counts a mail against the mailbox's limit; false when the limit is reached. */
  async hasRoomFor(email: string, kind: MailKind = 'asked'): Promise<boolean> {
    const claim = { key: `mailbox ${kind} ${emailKey(email)}`, limits: PER_MAILBOX };
    return (await this.#buckets.takeAll([claim])) === undefined;
  }
}

const tooMany = (waitSeconds: number): Refusal =>
  new Refusal(
    429,
    'request.tooMany',
    'Too many of these requests from your network; wait as long as Retry-After says',
    Math.max(1, Math.ceil(waitSeconds)),
  );
