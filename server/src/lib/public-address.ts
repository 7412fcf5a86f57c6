import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

const ALLOCATED_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** A globally routable address; IPv4-mapped IPv6 becomes IPv4. */
export function parsePublicAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (isIP(text) === 0) return undefined;
  const address = ipaddr.process(text);
  if (address.range() !== 'unicast') return undefined;
  return address instanceof ipaddr.IPv4 || address.match(ALLOCATED_IPV6) ? address : undefined;
}

export const isPublicAddress = (text: string): boolean => parsePublicAddress(text) !== undefined;
