import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isPublicAddress } from '../../../lib/public-address.ts';

export type AddressRange = [address: ipaddr.IPv4 | ipaddr.IPv6, bits: number];

/**
 * `10.0.0.0/8`, `fd00::/8` or one address. `/0` is rejected because it trusts everybody, and IPv4-mapped IPv6 networks
 * because they match more than they seem to.
 */
export function parseNetwork(text: string): AddressRange | undefined {
  const [, address = '', bits] = /^([^/]+)(?:\/([1-9]\d{0,2}))?$/.exec(text) ?? [];
  if (isIP(address) === 0) return undefined;
  const network = ipaddr.parse(address);
  if (network instanceof ipaddr.IPv6 && network.isIPv4MappedAddress()) return undefined;
  const longest = network.kind() === 'ipv4' ? 32 : 128;
  const length = bits === undefined ? longest : Number(bits);
  return length <= longest ? [network, length] : undefined;
}

export const writeNetwork = ([address, bits]: AddressRange): string => `${address.toString()}/${bits}`;

export function isInside(address: string, networks: readonly AddressRange[]): boolean {
  if (networks.length === 0 || isIP(address) === 0) return false;
  const parsed = ipaddr.process(address);
  return networks.some(([network, bits]) => parsed.kind() === network.kind() && parsed.match(network, bits));
}

/** Converts `::ffff:192.0.2.1`, as dual-stack sockets report IPv4 peers, to IPv4. */
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
 * The caller's address for limits and logs: the peer, or, as long as the hop is a trusted proxy, the address that proxy
 * reports. Read from the right, because everything left of the first untrusted hop can be forged.
 */
export function securityAddress(
  peer: string,
  forwardedFor: string,
  trusted: readonly AddressRange[],
): string {
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

/**
 * Where the listener is: the first public address in X-Forwarded-For, for applications that call on behalf of their
 * users.
 */
export function geoAddress(forwardedFor: string, securityIp: string): string {
  if (forwardedFor === '') return securityIp;
  for (const text of forwardedFor.split(',', 20)) {
    const hop = parseHop(text);
    if (hop !== undefined && isPublicAddress(hop)) return hop;
  }
  return securityIp;
}

/** An address for the log: without its last byte, or, for IPv6, its last ten. */
export function truncateAddress(address: string): string {
  if (isIP(address) === 0) return 'unknown';
  const parsed = ipaddr.process(address);
  const bytes = parsed.toByteArray();
  const kept = parsed.kind() === 'ipv4' ? 3 : 6;
  return ipaddr.fromByteArray(bytes.map((byte, index) => (index < kept ? byte : 0))).toString();
}
