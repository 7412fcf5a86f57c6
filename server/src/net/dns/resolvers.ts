import { getServers } from 'node:dns';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Resolver } from './ask-resolver.ts';
import { listMachineAddresses } from './own-addresses.ts';

const DNS_PORT = 53;
const WILDCARDS = ['0.0.0.0', '::'];

/** `192.168.1.1`, `192.168.1.1:5353`, `2001:db8::1` or `[2001:db8::1]:5353`. */
export function parseResolver(text: string): Resolver | undefined {
  if (isIP(text) > 0) return { address: text, port: DNS_PORT };
  const [, bracketed, dotted, port = String(DNS_PORT)] =
    /^(?:\[([^\]]{2,45})\]|([\d.]{7,15}))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const address = bracketed ?? dotted ?? '';
  const number = Number(port);
  return isIP(address) > 0 && number > 0 && number < 65_536 ? { address, port: number } : undefined;
}

export const writeResolver = ({ address, port }: Resolver): string =>
  port === DNS_PORT ? address : address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;

/** Those of `/etc/resolv.conf`. */
export const listSystemResolvers = (): Resolver[] =>
  getServers().flatMap((text) => parseResolver(text) ?? []);

/** Without the name server itself, which would ask itself for ever. */
export function withoutItself(
  resolvers: readonly Resolver[],
  { host, port }: { host: string; port: number },
  own = listMachineAddresses(),
): Resolver[] {
  const isItself = (address: string): boolean =>
    WILDCARDS.includes(host)
      ? own.includes(address) || ipaddr.process(address).range() === 'loopback' || WILDCARDS.includes(address)
      : address === host;
  return resolvers.filter((resolver) => resolver.port !== port || !isItself(resolver.address));
}
