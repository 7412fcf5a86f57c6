import { lookup } from 'node:dns/promises';
import { parsePublicAddress } from '../public-address.ts';
import type { Waiting } from './late-signal.ts';
import { lookUpBy } from './look-up.ts';

/** What decides where a connection may go; tests put in names and addresses of their own. */
export interface Policy {
  /** All addresses of a name. */
  resolve: (host: string, waiting: Waiting) => Promise<string[]>;
  isAllowed: (ip: string) => boolean;
  /** Whether names of private networks and ports of other services may be asked too. */
  anyHost?: boolean;
  /** For the look-up, for the connection and for TLS, each. */
  connectMs: number;
  /** Authorities beside the usual ones, as PEM. */
  ca?: string | undefined;
}

/** A cloud's own service answers at this public address inside of it. */
const NEVER = new Set(['168.63.129.16']);

/** The deny list is asked for the address itself, however it was written: `::ffff:168.63.129.16` is one of them. */
function isOfTheInternet(ip: string): boolean {
  const address = parsePublicAddress(ip);
  return address !== undefined && !NEVER.has(address.toString());
}

export const publicInternet: Policy = {
  resolve: lookUpBy(),
  isAllowed: isOfTheInternet,
  connectMs: 5000,
};

/** For an address that the operator gave: a server beside this one is as good as any, and so is the system's own look-up. */
export const operatorsChoice: Policy = {
  resolve: async (host) => {
    const found = await lookup(host, { all: true, verbatim: true });
    return found.map(({ address }) => address);
  },
  isAllowed: () => true,
  anyHost: true,
  connectMs: 5000,
};
