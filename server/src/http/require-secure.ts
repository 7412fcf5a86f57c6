import { Fault } from '../lib/fault.ts';
import type { Call } from './endpoint.ts';

/** Refuses what came in the clear; never sends it on to HTTPS, for then it has been sent in the clear all the same. */
export function requireSecure({ caller }: Call, legacyCredentials: boolean): void {
  if (caller.scheme === 'https' || legacyCredentials) return;
  throw new Fault(
    403,
    'request.insecure',
    'This call carries a password or belongs to an account: use HTTPS. The operator of a home network can allow it over HTTP',
  );
}

/** Refuses a password in the address, where proxies and histories keep it, for a call that takes a form. */
export function requireInForm({ params }: Call, legacyCredentials: boolean): void {
  if (legacyCredentials || !params.isInQuery('password')) return;
  throw new Fault(
    403,
    'request.insecure',
    "Send the 'password' in the body of a POST (application/x-www-form-urlencoded), not in the address",
  );
}
