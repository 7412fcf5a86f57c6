import type { Clock } from '../../../lib/clock.ts';
import { PartnerRefusal, Refusal } from '../../../lib/fault.ts';
import { networkOf } from '../../../lib/network-of.ts';
import { type BucketLimits, type RateBuckets, TokenBuckets } from '../../../lib/token-buckets.ts';
import type { Metrics } from '../metrics.ts';

export interface RateLimitOptions {
  clock: Clock;
  metrics: Metrics;
  /** Sustained calls per second per address; 0 for no limit. */
  callsPerAddress: number;
  /** Buckets of a kind that all processes share, where there are several; this process's own by default. */
  bucketsOf?: (kind: string) => RateBuckets;
}

/** Callers with a shared rate of their own, such as the devices of one partner. */
interface RateGroup {
  id: string;
  requests_per_second: number | null;
}

/** Admits a call or throws a Refusal with a retry time. */
export type RateLimit = (address: string, group?: RateGroup) => void;

/** A radio makes a dozen requests when it starts, and a house has several radios. */
const BURST_SECONDS = 5;

/** The part of a partner's rate that one address may use before others take precedence. */
const SHARE = 1 / 8;
/** The part of a partner's burst that is reserved for addresses below their share. */
const KEPT = 1 / 2;

/**
 * Admits or refuses a call: by its partner's rate if it has one, otherwise by its address. A single server of a partner
 * may use the whole rate while nobody else needs it, and no address can starve the others.
 */
export function rateLimit({ clock, metrics, callsPerAddress, bucketsOf }: RateLimitOptions): RateLimit {
  const buckets = bucketsOf?.('calls of address') ?? new TokenBuckets();
  const bucketsOfAll = bucketsOf?.('calls of partner');
  const ofAddress = limitsOf(callsPerAddress);
  const rates = new Map<string, GroupRate>();
  return (address, group) => {
    const perSecond = group?.requests_per_second;
    if (!perSecond && callsPerAddress === 0) return;
    const network = networkOf(address);
    if (!group || !perSecond) {
      const wait = buckets.take(network, ofAddress, clock.elapsedMs());
      if (wait > 0) refuse(metrics, wait, Refusal, 'this address');
      return;
    }
    let rate = rates.get(group.id);
    if (rate?.limits.perSecond !== perSecond)
      rates.set(group.id, (rate = new GroupRate(perSecond, bucketsOfAll)));
    const wait = rate.take(group.id, network, clock.elapsedMs());
    if (wait > 0) refuse(metrics, wait, PartnerRefusal, 'this partnerId');
  };
}

const limitsOf = (perSecond: number): BucketLimits => ({ perSecond, burst: perSecond * BURST_SECONDS });

/** A partner's total rate over all processes, and each address's share of it, which is this process's own. */
class GroupRate {
  readonly limits: BucketLimits;
  readonly #share: BucketLimits;
  readonly #kept: number;
  readonly #all: RateBuckets;
  readonly #addresses = new TokenBuckets();

  constructor(perSecond: number, ofAll: RateBuckets = new TokenBuckets(1)) {
    this.#all = ofAll;
    this.limits = limitsOf(perSecond);
    const { burst } = this.limits;
    this.#share = { perSecond: perSecond * SHARE, burst: Math.max(1, burst * SHARE) };
    this.#kept = burst * KEPT;
  }

  /** 0, or the seconds until a retry. */
  take(group: string, network: string, nowMs: number): number {
    const hasShare = this.#addresses.take(network, this.#share, nowMs) === 0;
    const wait = this.#all.take(group, this.limits, nowMs, hasShare ? 0 : this.#kept);
    if (wait > 0 && hasShare) this.#addresses.giveBack(network, this.#share);
    return wait;
  }
}

function refuse(metrics: Metrics, waitSeconds: number, Kind: typeof Refusal, who: string): never {
  metrics.countShed('rate_limit');
  throw new Kind(
    429,
    'request.tooMany',
    `Too many calls from ${who}; wait as long as Retry-After says, or ask the operator for a higher limit`,
    Math.max(1, Math.ceil(waitSeconds)),
  );
}
