import { parseAsx } from './asx.ts';
import { listLines } from './entry.ts';
import { plsAddresses } from './pls.ts';
import { parseXspf } from './xspf.ts';

export type PlaylistKind = 'm3u' | 'pls' | 'asx' | 'xspf';

export const MOST_ADDRESSES = 20;
const LONGEST_ADDRESS = 2048;
/** Far more than any list of one station has. Who repeats an address tens of thousands of times is not read to the end. */
const MOST_LOOKED_AT = 1000;

/** Unlike a list that is imported, what a station serves may name its streams by where the list itself is. */
const addressesIn: Readonly<Record<PlaylistKind, (text: string) => string[]>> = {
  m3u: (text) => listLines(text).filter((line) => line !== '' && !line.startsWith('#')),
  pls: plsAddresses,
  asx: parseAsx,
  xspf: parseXspf,
};

/** Where a playlist leads, in its order: different `http:` and `https:` addresses, made whole, twenty at most. */
export function parsePlaylist(kind: PlaylistKind, text: string, baseAddress: string): string[] {
  const found = new Set<string>();
  for (const written of addressesIn[kind](text).slice(0, MOST_LOOKED_AT)) {
    if (found.size === MOST_ADDRESSES) break;
    const url = written.length <= LONGEST_ADDRESS ? URL.parse(written, baseAddress) : null;
    if (url && (url.protocol === 'http:' || url.protocol === 'https:')) found.add(withoutHash(url));
  }
  return [...found];
}

function withoutHash(url: URL): string {
  url.hash = '';
  return url.href;
}
