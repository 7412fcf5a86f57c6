import { createSocket } from 'node:dgram';
import { isIP, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';

/** Where a name of ours leads. */
export interface OwnAddresses {
  ipv4: string[];
  ipv6: string[];
}

/** An address of a socket without the name of its interface: `fe80::1%eth0`, `::ffff:10.0.0.1`. */
export function bareAddress(address: string): string {
  const [bare = ''] = address.split('%', 1);
  return isIP(bare) === 0 ? bare : ipaddr.process(bare).toString();
}

/** Ranges that no router of the internet forwards: RFC 1918, link-local, unique local, loopback. */
const HOME_RANGES: ReadonlySet<string> = new Set(['private', 'loopback', 'linkLocal', 'uniqueLocal']);

export const isHomeAddress = (address: string): boolean =>
  isIP(address) > 0 && HOME_RANGES.has(ipaddr.process(address).range());

/** All addresses of this machine. */
export const listMachineAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((several = []) =>
    several.map(({ address }) => bareAddress(address)),
  );

const KEPT = { max: 1000, ttl: 60_000 };

/**
 * The addresses given to an asker: those of the settings, or the one from which this machine would call the asker, which the
 * kernel knows whatever networks it is in. IPv6 is given only where the server listens on it.
 */
export class AddressesForAskers {
  readonly #configured: OwnAddresses | undefined;
  readonly #hasIpv6: boolean;
  readonly #kept = new LRUCache<string, OwnAddresses>(KEPT);

  constructor(configured: readonly string[], httpHost: string) {
    const fixed = configured.length > 0 ? configured : isFixed(httpHost) ? [httpHost] : [];
    this.#configured = fixed.length > 0 ? byFamily(fixed) : undefined;
    this.#hasIpv6 = httpHost === '::';
  }

  /** A link-local asker with the name of the interface it is behind, without which there is no way to it. */
  async for(asker: string): Promise<OwnAddresses> {
    if (this.#configured) return this.#configured;
    const [, behind] = asker.split('%', 2);
    const towards = behind === undefined ? bareAddress(asker) : asker;
    const kept = this.#kept.get(towards);
    if (kept) return kept;
    const found = this.#beside(await localAddressTowards(towards), behind);
    this.#kept.set(towards, found);
    return found;
  }

  /** With the address of the other family on the same interface; two may have the same link-local address. */
  #beside(local: string, behind = ''): OwnAddresses {
    const all = networkInterfaces();
    const several =
      all[behind] ??
      Object.values(all).find((each) => each?.some(({ address }) => bareAddress(address) === local));
    const others = several?.map(({ address }) => bareAddress(address)) ?? [];
    const first = others.find((address) => isIPv6(address) !== isIPv6(local) && !isLinkLocal(address));
    const { ipv4, ipv6 } = byFamily(first === undefined ? [local] : [local, first]);
    // A link-local address means nothing without the name of the asker's interface.
    return { ipv4, ipv6: this.#hasIpv6 ? ipv6.filter((address) => !isLinkLocal(address)) : [] };
  }
}

/** One address only, so that there is no other to give. */
const isFixed = (httpHost: string): boolean => isIP(httpHost) > 0 && !['0.0.0.0', '::'].includes(httpHost);

const isLinkLocal = (address: string): boolean => ipaddr.parse(address).range() === 'linkLocal';

const byFamily = (addresses: readonly string[]): OwnAddresses => ({
  ipv4: addresses.filter((address) => !isIPv6(address)),
  ipv6: addresses.filter((address) => isIPv6(address)),
});

const ANY_PORT = 53;

/**
 * A connected datagram socket sends nothing, and its own address is the one the kernel would send from. Rejects where there is no
 * way to that address.
 */
export async function localAddressTowards(address: string): Promise<string> {
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  socket.on('error', reject);
  try {
    // A callback of connect would be called where there is no way to it, too; without one that is an 'error'.
    socket.once('connect', () => resolve(bareAddress(socket.address().address)));
    socket.connect(ANY_PORT, address);
    return await promise;
  } finally {
    socket.close();
  }
}
