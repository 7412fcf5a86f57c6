import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import { memoize } from '../../../lib/memoize.ts';
import { type AddressRange, geoAddress, isInside, plainAddress, securityAddress } from './addresses.ts';
import { type Scheme, linkHost } from './origin.ts';

/** The operator's settings about the network. */
export interface NetworkConfig {
  publicHosts: readonly string[];
  trustedProxies: readonly AddressRange[];
}

/** The other end of a request, whatever protocol it speaks. */
export interface Peer {
  /** For limits and logs; only trusted proxies can change it. */
  address: string;
  /** Where the listener is; the caller may claim anything, so only for finding stations nearby. */
  listenerAddress: string;
  scheme: Scheme;
  /** `http://host`, the start of links in the answer. */
  origin: string;
}

export function readPeer(request: IncomingMessage, { publicHosts, trustedProxies }: NetworkConfig): Peer {
  const { headers, socket } = request;
  const nearest = plainAddress(socket.remoteAddress ?? '');
  const forwardedFor = headerText(headers['x-forwarded-for']);
  const address = securityAddress(nearest, forwardedFor, trustedProxies);
  const scheme = schemeOf(request, nearest, trustedProxies);
  return {
    address,
    listenerAddress: geoAddress(forwardedFor, address),
    scheme,
    origin: originOf(scheme, linkHost(headers.host, publicHosts, socket)),
  };
}

/** The same string object per host, so that look-ups by it need not compare characters. */
const plainOrigin = memoize((host) => `http://${host}`);
const secureOrigin = memoize((host) => `https://${host}`);
const originOf = (scheme: Scheme, host: string): string =>
  scheme === 'http' ? plainOrigin(host) : secureOrigin(host);

function schemeOf(
  { headers, socket }: IncomingMessage,
  nearest: string,
  trusted: readonly AddressRange[],
): Scheme {
  if (socket instanceof TLSSocket) return 'https';
  const forwarded = headerText(headers['x-forwarded-proto']);
  if (forwarded === '' || !isInside(nearest, trusted)) return 'http';
  return forwarded.split(',').at(-1)?.trim().toLowerCase() === 'https' ? 'https' : 'http';
}

const headerText = (value: string | string[] | undefined): string =>
  value === undefined || typeof value === 'string' ? (value ?? '') : value.join(',');
