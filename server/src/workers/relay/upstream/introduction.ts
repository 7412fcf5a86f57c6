import { isPublicAddress } from '../../../lib/public-address.ts';
import { PRODUCT } from '../../../lib/version.ts';

/** What a station is told: who asks, and for whom. */
export interface Introduction {
  userAgent: string;
  /** Further lines of the request. */
  headers: readonly string[];
}

/** A listener as the station would have seen it. */
export interface ListenerName {
  /** Its address. */
  peer: string;
  /** What the device calls itself. */
  agent?: string | undefined;
}

const VIA = 'Via: 1.0 longwave';
const MAX_AGENT_LENGTH = 120;

/** For a connection that several listeners share, none of whom it speaks for. */
export const SHARED_INTRODUCTION: Introduction = {
  userAgent: `${PRODUCT} (relay; for several listeners)`,
  headers: [VIA],
};

/** For a listener with a connection of its own. An address of a private network says nothing, and stays in it. */
export function introduce({ peer, agent = '' }: ListenerName): Introduction {
  const name = cleanAgent(agent);
  return {
    userAgent: `${PRODUCT} (relay; for one listener)${name === '' ? '' : ` ${name}`}`,
    headers: isPublicAddress(peer) ? [VIA, `X-Forwarded-For: ${peer}`] : [VIA],
  };
}

/**
 * One line of ASCII. Some servers do not count clients whose name contains that of Icecast, and SHOUTcast sends a page, and no
 * sound, to those whose name contains that of Mozilla, as all browsers' do, and some radios'.
 */
const cleanAgent = (text: string): string =>
  text
    .replaceAll(/[^\x20-\x7e]/g, ' ')
    .replaceAll(/icecast/gi, 'ice-cast')
    .replaceAll(/mozilla/gi, 'mo-zilla')
    .slice(0, MAX_AGENT_LENGTH)
    .trim();
