import { lookup } from 'node:dns/promises';
import { isPublicAddress } from '../public-address.ts';

/** What decides where a connection may go; tests put in names and addresses of their own. */
export interface Policy {
  /** All addresses of a name. */
  resolve: (host: string, signal: AbortSignal) => Promise<string[]>;
  isAllowed: (ip: string) => boolean;
  /** Whether names of private networks and ports of other services may be asked too. */
  anyHost?: boolean;
  connectMs: number;
  /** Authorities beside the system's, as PEM. */
  ca?: string | undefined;
}

/** A cloud's own service answers at this public address inside of it. */
const NEVER = new Set(['168.63.129.16']);

export const publicInternet: Policy = {
  resolve: async (host) => {
    const found = await lookup(host, { all: true, verbatim: true });
    return found.map(({ address }) => address);
  },
  isAllowed: (ip) => isPublicAddress(ip) && !NEVER.has(ip),
  connectMs: 5000,
};

/** For an address that the operator gave: a server beside this one is as good as any. */
export const operatorsChoice: Policy = { ...publicInternet, isAllowed: () => true, anyHost: true };
