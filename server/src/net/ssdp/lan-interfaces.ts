import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import { isHomeAddress } from '../dns/own-addresses.ts';

/** An interface of this machine in the home network, by one of its IPv4 addresses. */
export interface LanInterface {
  name: string;
  address: string;
  /** Of the network behind it: 24. */
  prefixLength: number;
}

type Interfaces = ReturnType<typeof networkInterfaces>;

/**
 * The interfaces with a private IPv4 address, or of these only those that are wanted, by name or address. Loopback is none:
 * it carries no multicast.
 */
export function listLanInterfaces(
  wanted: readonly string[] = [],
  all: Interfaces = networkInterfaces(),
): LanInterface[] {
  const found: LanInterface[] = [];
  for (const [name, addresses = []] of Object.entries(all))
    for (const { family, internal, address, cidr } of addresses) {
      if (family !== 'IPv4' || internal || cidr === null || !isHomeAddress(address)) continue;
      if (wanted.length > 0 && !wanted.includes(name) && !wanted.includes(address)) continue;
      found.push({ name, address, prefixLength: ipaddr.parseCIDR(cidr)[1] });
    }
  return found;
}

/** The interface whose network an address is in; undefined for an address that is in none. */
export function findInterfaceOf(
  interfaces: readonly LanInterface[],
  address: string,
): LanInterface | undefined {
  if (!ipaddr.IPv4.isValidFourPartDecimal(address)) return undefined;
  const asked = ipaddr.IPv4.parse(address);
  return interfaces.find((each) => asked.match(ipaddr.IPv4.parse(each.address), each.prefixLength));
}
