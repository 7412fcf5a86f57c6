import { createHmac, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import { isPublicAddress } from '../../lib/public-address.ts';
import { checkAddress } from '../../net/fetch/policy.ts';
import { isOriginalService } from '../cleaning/refused-hosts.ts';

export const CALLBACK_PATH = '/websub/:show/:token';
/** 128 bits: only a hub that was given the token can call. */
const TOKEN_CHARACTERS = 32;

const derive = (key: Buffer, purpose: string): string =>
  createHmac('sha256', key).update(`longwave websub ${purpose}`).digest('hex');

const tokenOf = (key: Buffer): string => derive(key, 'callback').slice(0, TOKEN_CHARACTERS);

/** The secret that the hub signs with. */
export const secretOf = (key: Buffer): string => derive(key, 'secret');

export const isTokenOf = (key: Buffer, token: string): boolean =>
  /^[0-9a-f]{32}$/.test(token) && timingSafeEqual(Buffer.from(token), Buffer.from(tokenOf(key)));

/** The callback address for the hub of a show's feed. */
export const callbackOf = (origin: string, showId: number, key: Buffer): string =>
  `${origin}${CALLBACK_PATH.replace(':show', String(showId)).replace(':token', tokenOf(key))}`;

/**
 * The origin at which hubs reach this service: the first of the operator's hosts that is public. Without one no hub is
 * subscribed to. Plain HTTP unless HTTPS is served on its own port: radios need plain HTTP, so it is available, and
 * what a hub sends is public, signed, and only taken as a hint.
 */
export function callbackOrigin(settings: {
  publicHosts: readonly string[];
  httpsPort: number | undefined;
}): string | undefined {
  const origins = settings.publicHosts.map((host) => {
    const isSecure = settings.httpsPort === 443 && !/:\d+$/.test(host);
    return `${isSecure ? 'https' : 'http'}://${host}`;
  });
  return origins.find(isReachable);
}

/** Names of the original service lead here only where an operator redirects them; elsewhere they are not ours. */
function isReachable(origin: string): boolean {
  try {
    const { host } = checkAddress(origin);
    return isIP(host) === 0 ? !isOriginalService(host) : isPublicAddress(host);
  } catch {
    return false;
  }
}
