import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { parseHost } from './origin.ts';
import type { Peer } from './peer.ts';

const HOME_RANGES: ReadonlySet<string> = new Set(['loopback', 'private', 'linkLocal', 'uniqueLocal']);
/** Names that no public name server gives out: this machine, mDNS, and what routers call their network. */
const HOME_NAME = /^(?:localhost|[a-z0-9-]+|[a-z0-9.-]+\.(?:localhost|local|lan|home\.arpa|internal))$/;

/**
 * Whether a plain HTTP call stays within one machine or one home. Both ends must say so: the caller's address (also the
 * one that a proxy reports, trusted or not), and the host in the address bar. A page elsewhere on the internet can make
 * a browser call a home address under a name of its own (DNS rebinding), but it cannot have one of these names.
 */
export const isHomeCaller = (
  { address, listenerAddress }: Pick<Peer, 'address' | 'listenerAddress'>,
  hostHeader: string | undefined,
): boolean => isHomeAddress(address) && isHomeAddress(listenerAddress) && isHomeHost(hostHeader ?? '');

function isHomeHost(header: string): boolean {
  const host = parseHost(header)?.replace(/:\d+$/, '') ?? '';
  const address = host.startsWith('[') ? host.slice(1, -1) : host;
  return isIP(address) === 0 ? HOME_NAME.test(host) && !/^\d+$/.test(host) : isHomeAddress(address);
}

const isHomeAddress = (text: string): boolean =>
  isIP(text) !== 0 && HOME_RANGES.has(ipaddr.process(text).range());
