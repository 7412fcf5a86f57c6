import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { TokenBuckets } from '../cache/token-buckets.ts';
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

/** Lets a call on, or refuses it: by its partner's rate when that has one, else by the address it comes from. */
export function admission({ clock, metrics, callsPerAddress }: AdmissionOptions): (call: Call) => void {
  const buckets = new TokenBuckets();
  return ({ caller: { partner, securityIp } }) => {
    const perSecond = partner?.requests_per_second ?? callsPerAddress;
    if (perSecond === 0) return;
    const key = partner?.requests_per_second ? partner.id : networkOf(securityIp);
    const wait = buckets.take(key, { perSecond, burst: perSecond * BURST_SECONDS }, clock.elapsedMs());
    if (wait === 0) return;
    metrics.countShed('rate_limit');
    throw tooMany(wait, key === partner?.id ? 'this partnerId' : 'this address');
  };
}

/**
 * An IPv6 subscriber has a whole network of addresses to call from, however its zeros are written. What has no colon is
 * none; asking the runtime whether it is costs more than the rest of admission.
 */
export const networkOf = (address: string): string =>
  address.includes(':') && isIPv6(address) ? ipaddr.IPv6.parse(address).parts.slice(0, 4).join(':') : address;

const tooMany = (waitSeconds: number, who: string): Refusal =>
  new Refusal(
    429,
    'request.tooMany',
    `Too many calls from ${who}; wait as long as Retry-After says, and ask the operator if it should be more`,
    Math.max(1, Math.ceil(waitSeconds)),
  );
