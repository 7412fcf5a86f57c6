import ipaddr from 'ipaddr.js';

const NETWORK_BYTES = { ipv4: 3, ipv6: 6 };

/** What usually belongs to one owner: the /24 of an IPv4 address, the /48 of an IPv6 one. */
export function networkOf(ip: string): string {
  if (!ip.includes(':')) return ip.slice(0, ip.lastIndexOf('.'));
  const address = ipaddr.process(ip);
  return address.toByteArray().slice(0, NETWORK_BYTES[address.kind()]).join('.');
}
