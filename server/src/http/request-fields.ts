import { truncateAddress } from './addresses.ts';
import type { Caller } from './caller.ts';
import type { Outcome } from './call-tally.ts';

const PARTNER = /^[\w!.-]{1,40}$/;

/** What the log keeps of a call: enough to operate by, nothing that names a listener. */
export function requestFields(
  reqId: string,
  { route, c, status, opmlStatus }: Outcome,
  elapsedMs: number,
  caller: Caller | undefined,
): Record<string, string | number | undefined> {
  const partnerId = caller?.partnerId;
  return {
    reqId,
    route,
    c,
    partner: partnerId === undefined || PARTNER.test(partnerId) ? partnerId : 'malformed',
    ip24: truncateAddress(caller?.securityIp ?? ''),
    status,
    opmlStatus,
    ms: Math.round(elapsedMs * 100) / 100,
  };
}
