import { networkOf } from './refused-hosts.ts';

interface FrontDoor {
  machine: RegExp;
  /** The well-known host, with `$1` for what the machine's name holds of it. */
  host: string;
  prefix?: string;
  /** A path of several segments names a stream there too. */
  anyPath?: boolean;
}

/**
 * Networks send each listener from one well-known host to a machine of the moment, and lists are full of those machines.
 * These turn away whoever comes without a fresh token, so the well-known host is also the better address.
 */
const ADDRESS_DOORS: Record<string, FrontDoor> = {
  'zeno.fm': { machine: /^(?:stream-\d+|node-\d+|fluoz)\.zeno\.fm$/, host: 'stream.zeno.fm' },
  'radiojar.com': { machine: /^n[0-9a-f]{2}\.radiojar\.com$/, host: 'stream.radiojar.com' },
  'ihrhls.com': {
    machine: /^(?:n[0-9a-f]+-e\d+|cloud)\.revma\.ihrhls\.com$/,
    host: 'stream.revma.ihrhls.com',
  },
  'aiir.com': { machine: /^stream-\d+\.aiir\.com$/, host: 'stream.aiir.com' },
  'laut.fm': { machine: /^[\w-]+\.stream\.laut\.fm$/, host: 'stream.laut.fm' },
};

/** The machines of these answer for years, to anybody: the address stays, and is only recognised as the same stream. */
const KEY_DOORS: Record<string, FrontDoor> = {
  'zenolive.com': { machine: /^stream\.zenolive\.com$/, host: 'stream.zeno.fm' },
  'streamtheworld.com': {
    machine: /^\d+\.live\.streamtheworld\.com$/,
    host: 'playerservices.streamtheworld.com',
    prefix: '/api/livestream-redirect',
  },
  'rndfnk.com': { machine: /^[df]\d+\.rndfnk\.com$/, host: 'edge.rndfnk.com', anyPath: true },
  'amperwave.net': {
    machine: /^prod-[\d-]+\.amperwave\.net$/,
    host: 'live.amperwave.net',
    prefix: '/direct',
  },
  'cdnstream1.com': { machine: /^ais-sa\d+\.cdnstream1\.com$/, host: 'ais.cdnstream1.com' },
  'radiohost.de': { machine: /^(\w+)\.stream\d+\.radiohost\.de$/, host: '$1.radiohost.de', anyPath: true },
  'addradio.de': {
    machine: /^(\w+)--di--[\w-]+--cdn\.cast\.addradio\.de$/,
    host: '$1.addradio.de',
    anyPath: true,
  },
};

const DOORS = {
  address: new Map(Object.entries(ADDRESS_DOORS)),
  key: new Map(Object.entries(KEY_DOORS)),
};

export interface Place {
  host: string;
  path: string;
}

/** The well-known place of what a machine of a known network plays. */
export function findFrontDoor(use: keyof typeof DOORS, host: string, path: string): Place | undefined {
  const door = DOORS[use].get(networkOf(host));
  if (!door || !door.machine.test(host)) return undefined;
  if (!door.anyPath && !/^\/[^/]+$/.test(path)) return undefined;
  return { host: host.replace(door.machine, door.host), path: (door.prefix ?? '') + path };
}
