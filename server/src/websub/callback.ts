import { createHmac, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import { isOriginalService } from '../intake/refused-hosts.ts';
import { checkAddress } from '../lib/fetch-safely/check-address.ts';
import { isPublicAddress } from '../lib/public-address.ts';

export const CALLBACK_PATH = '/websub/:show/:token';
/** 128 bits: nobody calls it who was not told. */
const TOKEN_CHARACTERS = 32;

const derive = (key: Buffer, purpose: string): string =>
  createHmac('sha256', key).update(`longwave websub ${purpose}`).digest('hex');

export const tokenOf = (key: Buffer): string => derive(key, 'callback').slice(0, TOKEN_CHARACTERS);

/** What the hub signs with. */
export const secretOf = (key: Buffer): string => derive(key, 'secret');

export const isTokenOf = (key: Buffer, token: string): boolean =>
  /^[0-9a-f]{32}$/.test(token) && timingSafeEqual(Buffer.from(token), Buffer.from(tokenOf(key)));

/** Where the hub of a show's feed finds us. */
export const callbackOf = (origin: string, showId: number, key: Buffer): string =>
  `${origin}${CALLBACK_PATH.replace(':show', String(showId)).replace(':token', tokenOf(key))}`;

/**
 * The address under which hubs reach this service: of the operator's hosts the first that is known to the internet as
 * this one. Without any no hub is asked. Plain HTTP unless HTTPS is served on its own port: radios need plain HTTP, so
 * it is there, and what a hub sends is public, signed, and never believed.
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

/** Names of the original service lead here only in networks whose operator says so; elsewhere they are not ours. */
function isReachable(origin: string): boolean {
  try {
    const { host } = checkAddress(origin);
    return isIP(host) === 0 ? !isOriginalService(host) : isPublicAddress(host);
  } catch {
    return false;
  }
}
