import type { Policy } from '../../src/net/fetch/policy.ts';
import { chance, kindOf } from './kinds.ts';

/** Feeds of a usual host; a few hosts have a tenth of all feeds between them. */
const FEEDS_A_HOST = 20;
const LARGE_HOSTS = 4;
/** Who asks to be left alone may mean the whole host, so such feeds have hosts of their own. */
const SORE_HOSTS = 20;
const A_SECOND_BYTE = 250;

export const usualHosts = (feeds: number): number =>
  Math.max(2 * LARGE_HOSTS, Math.ceil(feeds / FEEDS_A_HOST));
export const hostCount = (feeds: number): number => usualHosts(feeds) + SORE_HOSTS;

export function hostOf(number: number, feeds: number): number {
  const usual = usualHosts(feeds);
  const kind = kindOf(number);
  if (kind === 'limited' || kind === 'ailing') return usual + (number % SORE_HOSTS);
  if (number % 10 === 0) return (number / 10) % LARGE_HOSTS;
  return LARGE_HOSTS + Math.floor(chance(number, 1) * (usual - LARGE_HOSTS));
}

/** Where a feed that moved is now: always at another host. */
export const nextHostOf = (number: number, feeds: number): number =>
  (hostOf(number, feeds) + 1) % usualHosts(feeds);

export const nameOfHost = (host: number): string => `feeds.haven-${host}.net`;

/** Linux answers on all of 127/8; each host has a network of its own there. */
export const ipOfHost = (host: number): string =>
  `127.${100 + Math.floor(host / A_SECOND_BYTE)}.${host % A_SECOND_BYTE}.1`;

const NAME = /^feeds\.haven-(\d+)\.net$/;
const FARM_NETWORK = /^127\.1\d\d\.\d{1,3}\.1$/;

export function ipOfName(name: string): string | undefined {
  const [, host] = NAME.exec(name) ?? [];
  return host === undefined ? undefined : ipOfHost(Number(host));
}

/** Lets nothing out but to the farm: its names have its addresses, other names have none. */
export const farmPolicy: Policy = {
  resolve: async (name) => [ipOfName(name) ?? []].flat(),
  isAllowed: (ip) => FARM_NETWORK.test(ip),
  connectMs: 5000,
};

export interface FarmPlace {
  port: number;
  feeds: number;
}

export const feedAddress = (number: number, { port, feeds }: FarmPlace): string =>
  `http://${nameOfHost(hostOf(number, feeds))}:${port}/feed/${number}`;

/** Where the feeds that have moved are read. */
export const movedAddress = (number: number, { port, feeds }: FarmPlace): string =>
  `http://${nameOfHost(nextHostOf(number, feeds))}:${port}/moved/${number}`;
