import { isIPv6, type Socket } from 'node:net';
import { memoize } from '../../../lib/memoize.ts';
import { plainAddress } from './addresses.ts';

export type Scheme = 'http' | 'https';
/** The caller's way to this machine. */
type LocalEnd = 'localAddress' | 'localPort';

const NAME = /^(?![.-])(?!.*\.\.)[a-z0-9._-]{1,253}(?::\d{1,5})?$/;
const IPV6 = /^\[[0-9a-f:.]{2,45}\](?::\d{1,5})?$/;
const DEFAULT_PORT = /:(?:80|443)$/;

/**
 * Normalises a Host header for links: lower case, without the scheme's default port; undefined when it is not a host.
 */
export function parseHost(text: string): string | undefined {
  const host = text.toLowerCase();
  return NAME.test(host) || IPV6.test(host) ? host.replace(DEFAULT_PORT, '') : undefined;
}

/**
 * The host that links of an answer point to: the requested one if it is the operator's, otherwise the operator's first,
 * so that no stranger chooses where links lead. Without configured hosts (a box at home, reached by address or by
 * several names) links use the host the caller used.
 */
export function linkHost(
  hostHeader: string | undefined,
  publicHosts: readonly string[],
  socket: Pick<Socket, LocalEnd>,
): string {
  const host = hostOf(hostHeader ?? '') || undefined;
  const [first] = publicHosts;
  if (first === undefined) return host ?? localHost(socket);
  return host !== undefined && publicHosts.includes(host) ? host : first;
}

const hostOf = memoize((text) => parseHost(text) ?? '');

function localHost({ localAddress = '127.0.0.1', localPort = 80 }: Pick<Socket, LocalEnd>): string {
  const address = plainAddress(localAddress.replace(/%.*/, ''));
  const host = isIPv6(address) ? `[${address}]` : address;
  return `${host}:${localPort}`.replace(DEFAULT_PORT, '');
}
