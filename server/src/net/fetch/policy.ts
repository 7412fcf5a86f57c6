import { lookup, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { parsePublicAddress } from '../../lib/public-address.ts';
import { UnsafeAddress } from './fetch-failed.ts';
import type { Waiting } from './deadline.ts';

/** Decides where connections may go; tests replace names and addresses. */
export interface Policy {
  /** All addresses of a name. */
  resolve: (host: string, waiting: Waiting) => Promise<string[]>;
  isAllowed: (ip: string) => boolean;
  /** Also allows private names and ports of other services. */
  anyHost?: boolean;
  /** For look-up, connection and TLS, each. */
  connectMs: number;
  /** Extra certificate authorities, as PEM. */
  ca?: string | undefined;
}

/** Azure's internal services answer at this public address. */
const NEVER = new Set(['168.63.129.16']);

/** Checks the deny list after parsing, so that `::ffff:168.63.129.16` is caught too. */
function isOfTheInternet(ip: string): boolean {
  const address = parsePublicAddress(ip);
  return address !== undefined && !NEVER.has(address.toString());
}

export const publicInternet: Policy = {
  resolve: lookUpBy(),
  isAllowed: isOfTheInternet,
  connectMs: 5000,
};

/** For addresses the operator configured: local servers are allowed, and the system's resolver is used. */
export const operatorsChoice: Policy = {
  resolve: async (host) => {
    const found = await lookup(host, { all: true, verbatim: true });
    return found.map(({ address }) => address);
  },
  isAllowed: () => true,
  anyHost: true,
  connectMs: 5000,
};

/** Addresses that routers of houses hand out. Neither the machine itself nor link-local ones, where clouds have their secrets. */
const HOUSE_RANGES = new Set(['private', 'uniqueLocal']);

/** For devices of the house that the operator names, and nothing else. */
export const houseOnly: Policy = {
  ...operatorsChoice,
  isAllowed: (ip) => ipaddr.isValid(ip) && HOUSE_RANGES.has(ipaddr.process(ip).range()),
};

const TRIES = { timeout: 1500, tries: 2, maxTimeout: 1500 };

/**
 * All addresses of a name, IPv4 first, by querying name servers directly: the system's resolver has four threads for
 * the whole process, which unresponsive name servers would block, and it reads `/etc/hosts`.
 */
export function lookUpBy(servers?: readonly string[]): Policy['resolve'] {
  return async (host, { signal }) => {
    const resolver = new Resolver(TRIES);
    if (servers) resolver.setServers(servers);
    const cancel = (): void => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
      const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
      if (found.length === 0 && answers[0].status === 'rejected') throw answers[0].reason;
      return found;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  };
}

/** An address checked as far as possible before its name is resolved. */
export interface CheckedAddress {
  url: URL;
  /** A name, or an IP literal without its brackets. */
  host: string;
  port: number;
  isSecure: boolean;
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };
const MIN_FREE_PORT = 1024;
/** Services that could mistake our request for a command, or that never carry radio. */
const OTHER_SERVICES = new Set([
  1433, 1521, 2049, 2375, 2376, 2379, 2380, 3306, 3389, 4369, 5432, 5672, 5900, 5984, 6379, 6443, 7001, 8086,
  9042, 9092, 9200, 9300, 10_250, 11_211, 15_672, 25_672, 27_017,
]);
const X11 = { from: 6000, to: 6063 };
/** Names that only exist on private networks. */
const PRIVATE_NAME =
  /(?:^|\.)(?:local|localhost|localdomain|internal|intranet|lan|home|arpa|onion|test|invalid|example)$/;
const MAX_ADDRESS_LENGTH = 2048;

/** Checks everything except the name look-up. Throws `UnsafeAddress` with the reason. */
export function checkAddress(text: string, anyHost = false): CheckedAddress {
  if (text.length > MAX_ADDRESS_LENGTH)
    throw new UnsafeAddress('the address is longer than 2,048 characters');
  const url = URL.parse(text);
  if (!url) throw new UnsafeAddress('the address is not a valid URL');
  const defaultPort = DEFAULT_PORTS[url.protocol];
  if (defaultPort === undefined) throw new UnsafeAddress(`${url.protocol} is neither http: nor https:`);
  if (url.username !== '' || url.password !== '')
    throw new UnsafeAddress('the address contains a user name or password');
  const port = url.port === '' ? defaultPort : Number(url.port);
  if (!anyHost) checkPort(port);
  const host = url.hostname.replaceAll(/^\[|\]$/g, '').replace(/\.$/, '');
  if (!anyHost && isIP(host) === 0) checkName(host);
  return { url, host, port, isSecure: url.protocol === 'https:' };
}

function checkPort(port: number): void {
  const isUsual = port === 80 || port === 443 || port >= MIN_FREE_PORT;
  const isOther = OTHER_SERVICES.has(port) || (port >= X11.from && port <= X11.to);
  if (!isUsual || isOther) throw new UnsafeAddress(`port ${port} belongs to another service`);
}

function checkName(host: string): void {
  if (!host.includes('.')) throw new UnsafeAddress('a name without a dot is not on the public internet');
  if (PRIVATE_NAME.test(host)) throw new UnsafeAddress('the name belongs to a private network');
}
