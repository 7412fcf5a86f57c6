import { isIP } from 'node:net';
import { UnsafeAddress } from './unsafe-address.ts';

/** Where something is, as far as the address tells before its name is looked up. */
export interface CheckedAddress {
  url: URL;
  /** A name, or a literal without its brackets. */
  host: string;
  port: number;
  isSecure: boolean;
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };
const LOWEST_FREE_PORT = 1024;
/** Services that would take what we send for a command, or that nobody listens to a radio by. */
const OTHER_SERVICES = new Set([
  1433, 1521, 2049, 2375, 2376, 2379, 2380, 3306, 3389, 4369, 5432, 5672, 5900, 5984, 6379, 6443, 7001, 8086,
  9042, 9092, 9200, 9300, 10_250, 11_211, 15_672, 25_672, 27_017,
]);
const X11 = { from: 6000, to: 6063 };
/** Names that mean something only on a network of somebody's own. */
const PRIVATE_NAME =
  /(?:^|\.)(?:local|localhost|localdomain|internal|intranet|lan|home|arpa|onion|test|invalid|example)$/;
const LONGEST_ADDRESS = 2048;

/** Checks all that an address says by itself. Throws `UnsafeAddress` with what is wrong. */
export function checkAddress(text: string, anyHost = false): CheckedAddress {
  if (text.length > LONGEST_ADDRESS) throw new UnsafeAddress('the address is longer than 2,048 characters');
  const url = URL.parse(text);
  if (!url) throw new UnsafeAddress('the address cannot be read');
  const defaultPort = DEFAULT_PORTS[url.protocol];
  if (defaultPort === undefined) throw new UnsafeAddress(`${url.protocol} is neither http: nor https:`);
  if (url.username !== '' || url.password !== '')
    throw new UnsafeAddress('the address holds a name or a password');
  const port = url.port === '' ? defaultPort : Number(url.port);
  if (!anyHost) checkPort(port);
  const host = url.hostname.replaceAll(/^\[|\]$/g, '').replace(/\.$/, '');
  if (!anyHost && isIP(host) === 0) checkName(host);
  return { url, host, port, isSecure: url.protocol === 'https:' };
}

function checkPort(port: number): void {
  const isUsual = port === 80 || port === 443 || port >= LOWEST_FREE_PORT;
  const isOther = OTHER_SERVICES.has(port) || (port >= X11.from && port <= X11.to);
  if (!isUsual || isOther) throw new UnsafeAddress(`port ${port} belongs to another service`);
}

function checkName(host: string): void {
  if (!host.includes('.')) throw new UnsafeAddress('a name without a dot is not of the internet');
  if (PRIVATE_NAME.test(host)) throw new UnsafeAddress('the name is of a private network');
}
