import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { type BucketLimits, TokenBuckets } from '../cache/token-buckets.ts';
import type { Clock } from '../lib/clock.ts';
import type { Call } from './endpoint.ts';
import type { Metrics } from './metrics.ts';
import { Refusal } from '../lib/refusal.ts';

export interface AdmissionOptions {
  clock: Clock;
  metrics: Metrics;
  /** Calls a second that one address may make in the long run; 0 for as many as it likes. */
  callsPerAddress: number;
}

/** A radio that starts asks for a dozen things at once, and a house has several. */
const BURST_SECONDS = 5;

/** Of a partner's rate, what one address may take before others of the partner come first. */
const SHARE = 1 / 8;
/** Of what a partner may call at once, what is there only for addresses that have not had their share. */
const KEPT = 1 / 2;

/**
 * Lets a call on, or refuses it: by its partner's rate when that has one, else by the address it comes from. A partner's
 * one server may use the whole rate as long as nobody else wants it, and no address takes it from the others.
 */
export function admission({ clock, metrics, callsPerAddress }: AdmissionOptions): (call: Call) => void {
  const buckets = new TokenBuckets();
  const ofAddress = limitsOf(callsPerAddress);
  const rates = new Map<string, PartnerRate>();
  return ({ caller: { partner, securityIp } }) => {
    const perSecond = partner?.requests_per_second;
    if (!perSecond && callsPerAddress === 0) return;
    const network = networkOf(securityIp);
    if (!partner || !perSecond) {
      const wait = buckets.take(network, ofAddress, clock.elapsedMs());
      if (wait > 0) refuse(metrics, wait, 'this address');
      return;
    }
    let rate = rates.get(partner.id);
    if (rate?.limits.perSecond !== perSecond) rates.set(partner.id, (rate = new PartnerRate(perSecond)));
    const wait = rate.take(network, clock.elapsedMs());
    if (wait > 0) refuse(metrics, wait, 'this partnerId');
  };
}

const limitsOf = (perSecond: number): BucketLimits => ({ perSecond, burst: perSecond * BURST_SECONDS });

/** What all devices of a partner may call together, and each address before it waits for the others. */
class PartnerRate {
  readonly limits: BucketLimits;
  readonly #share: BucketLimits;
  readonly #kept: number;
  readonly #all = new TokenBuckets(1);
  readonly #addresses = new TokenBuckets();

  constructor(perSecond: number) {
    this.limits = limitsOf(perSecond);
    const { burst } = this.limits;
    this.#share = { perSecond: perSecond * SHARE, burst: Math.max(1, burst * SHARE) };
    this.#kept = burst * KEPT;
  }

  /** 0, or in how many seconds to come again. */
  take(network: string, nowMs: number): number {
    const hasShare = this.#addresses.take(network, this.#share, nowMs) === 0;
    const wait = this.#all.take('', this.limits, nowMs, hasShare ? 0 : this.#kept);
    if (wait > 0 && hasShare) this.#addresses.giveBack(network, this.#share);
    return wait;
  }
}

/**
 * An IPv6 subscriber has a whole network of addresses to call from, however its zeros are written. What has no colon is
 * none; asking the runtime whether it is costs more than the rest of admission.
 */
export const networkOf = (address: string): string =>
  address.includes(':') && isIPv6(address) ? ipaddr.IPv6.parse(address).parts.slice(0, 4).join(':') : address;

function refuse(metrics: Metrics, waitSeconds: number, who: string): never {
  metrics.countShed('rate_limit');
  throw new Refusal(
    429,
    'request.tooMany',
    `Too many calls from ${who}; wait as long as Retry-After says, and ask the operator if it should be more`,
    Math.max(1, Math.ceil(waitSeconds)),
  );
}
