import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isPublicAddress } from '../lib/public-address.ts';

export type Network = [address: ipaddr.IPv4 | ipaddr.IPv6, bits: number];

/**
 * `10.0.0.0/8`, `fd00::/8` or one address. A network of everyone (`/0`) and one of IPv4 written as IPv6 are refused:
 * the first trusts strangers, the second matches more than it looks.
 */
export function parseNetwork(text: string): Network | undefined {
  const [, address = '', bits] = /^([^/]+)(?:\/([1-9]\d{0,2}))?$/.exec(text) ?? [];
  if (isIP(address) === 0) return undefined;
  const network = ipaddr.parse(address);
  if (network instanceof ipaddr.IPv6 && network.isIPv4MappedAddress()) return undefined;
  const longest = network.kind() === 'ipv4' ? 32 : 128;
  const length = bits === undefined ? longest : Number(bits);
  return length <= longest ? [network, length] : undefined;
}

export const writeNetwork = ([address, bits]: Network): string => `${address.toString()}/${bits}`;

export function isInside(address: string, networks: readonly Network[]): boolean {
  if (networks.length === 0 || isIP(address) === 0) return false;
  const parsed = ipaddr.process(address);
  return networks.some(([network, bits]) => parsed.kind() === network.kind() && parsed.match(network, bits));
}

/** IPv4 as IPv4 also where a socket listening for both families hands it over as `::ffff:192.0.2.1`. */
export function plainAddress(address: string): string {
  if (!address.startsWith('::ffff:')) return address;
  const mapped = address.slice(7);
  return isIP(mapped) === 4 ? mapped : address;
}

/** One entry of X-Forwarded-For, with or without a port. */
export function parseHop(text: string): string | undefined {
  const hop = text.trim();
  const [, bracketed, dotted] = /^(?:\[([^\]]{1,45})\]|(\d[\d.]{6,14}))(?::\d{1,5})?$/.exec(hop) ?? [];
  const address = plainAddress(bracketed ?? dotted ?? hop);
  return isIP(address) === 0 || address.includes('%') ? undefined : address;
}

/**
 * Who is calling, for limits and logs: the peer, or, as long as the hop is a trusted proxy, the one that proxy names.
 * Read from the right, because everything left of the first stranger is that stranger's own writing.
 */
export function securityAddress(peer: string, forwardedFor: string, trusted: readonly Network[]): string {
  let address = plainAddress(peer);
  if (forwardedFor === '' || trusted.length === 0) return address;
  for (const text of forwardedFor.split(',').toReversed()) {
    if (!isInside(address, trusted)) break;
    const hop = parseHop(text);
    if (hop === undefined) break;
    address = hop;
  }
  return address;
}

/** Where the listener is: the first public address a caller names, for an application that calls for its users. */
export function geoAddress(forwardedFor: string, securityIp: string): string {
  if (forwardedFor === '') return securityIp;
  for (const text of forwardedFor.split(',', 20)) {
    const hop = parseHop(text);
    if (hop !== undefined && isPublicAddress(hop)) return hop;
  }
  return securityIp;
}

/** An address as it may be kept in a log: without its last byte, or, for IPv6, without its last ten. */
export function truncateAddress(address: string): string {
  if (isIP(address) === 0) return 'unknown';
  const parsed = ipaddr.process(address);
  const bytes = parsed.toByteArray();
  const kept = parsed.kind() === 'ipv4' ? 3 : 6;
  return ipaddr.fromByteArray(bytes.map((byte, index) => (index < kept ? byte : 0))).toString();
}
