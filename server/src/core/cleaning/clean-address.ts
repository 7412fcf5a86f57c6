import { uuidOf } from '../../lib/ids.ts';
import { withoutNoise } from './address-noise.ts';
import { isOriginalService, isPublicHost, registrableDomainOf } from './refused-hosts.ts';

interface CleanAddress {
  /** The address given to radios. */
  address: string;
  /** Equal for all spellings of one stream; not an address. */
  key: string;
}

export const MAX_ADDRESS_LENGTH = 2048;

/**
 * A stream's address without session tokens and tracking, or the reason why it is refused. The remaining parts keep
 * their spelling, because old servers compare them byte by byte.
 */
export function cleanAddress(text: string): CleanAddress | { refused: string } {
  const url = parseAddress(text);
  if (typeof url === 'string') return { refused: url };
  const reason = reasonAgainst(url);
  if (reason) return { refused: reason };
  const query = withoutNoise(url.hostname, url.search.slice(1));
  const canonical = url.port === '' ? findCanonicalHost('address', url.hostname, url.pathname) : undefined;
  const authority = canonical?.host ?? url.host;
  const path = canonical?.path ?? url.pathname;
  const address = `${url.protocol}//${authority}${path}${query && `?${query}`}`;
  if (address.length > MAX_ADDRESS_LENGTH) return { refused: TOO_LONG };
  return { address, key: keyOf(authority, path, query) };
}

/** The same canonical text has the same id everywhere: PostgreSQL's `md5(key)::uuid` gives it too. */
export const addressKey = (key: string): string => uuidOf(key);

const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;

/** The key under which an import stores an address, with or without its scheme; undefined if it is not an address. */
export function keyOfAddress(text: string): string | undefined {
  const cleaned = cleanAddress(SCHEME.test(text) ? text : `http://${text}`);
  return 'refused' in cleaned ? undefined : addressKey(cleaned.key);
}

const TOO_LONG = `the address is longer than ${MAX_ADDRESS_LENGTH} characters`;

function parseAddress(text: string): URL | string {
  if (text.length > 2 * MAX_ADDRESS_LENGTH) return TOO_LONG;
  const [beforeFragment = ''] = text.split('#', 1);
  const trimmed = beforeFragment.trim().replaceAll('&amp;', '&');
  return URL.parse(once(trimmed)) ?? 'the address is malformed: give it as http://host/path';
}

/** A double paste gives the same address twice in a row. */
function once(address: string): string {
  const second = address.indexOf('://', 8);
  if (second === -1) return address;
  const half = address.slice(0, address.length / 2);
  return half + half === address ? half : address;
}

function reasonAgainst(url: URL): string | undefined {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return `the scheme ${url.protocol.slice(0, 20)} no longer plays on any radio: give an http or https address`;
  }
  if (url.username !== '' || url.password !== '') return 'the address contains a password: remove it';
  if (isOriginalService(url.hostname))
    return 'the address belongs to the original directory service, not to a station';
  if (!isPublicHost(url.hostname)) return 'the address is in a private network: give a public one';
  return undefined;
}

/**
 * Treats as one stream: http and https, the many spellings of a Shoutcast server's only stream (`/;`, `/;stream.mp3`,
 * `/`), a path with or without its last slash, and the default ports.
 */
function keyOf(authority: string, path: string, query: string): string {
  const [host = ''] = /^(?:\[[^\]]*\]|[^:]*)/.exec(authority) ?? [];
  const canonical = findCanonicalHost('key', host, path);
  if (canonical) return `${canonical.host}${canonical.path}${query && `?${query}`}`;
  const semicolon = path.indexOf('/;');
  const stream = semicolon === -1 ? path : path.slice(0, semicolon);
  return `${authority.replace(/:(?:80|443)$/, '')}${withoutLastSlashes(stream)}${query && `?${query}`}`;
}

/** Not a regular expression: one that ends in `/+$` restarts at each of many slashes. */
function withoutLastSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

interface CanonicalHost {
  machine: RegExp;
  /** The well-known host; `$1` stands for the captured part of the server's name. */
  host: string;
  prefix?: string;
  /** Paths of several segments name a stream there too. */
  anyPath?: boolean;
}

/**
 * Networks redirect each listener from one well-known host to a temporary server, and lists are full of those servers.
 * They reject callers without a fresh token, so the well-known host is also the better address.
 */
const ADDRESS_HOSTS: Record<string, CanonicalHost> = {
  'zeno.fm': { machine: /^(?:stream-\d+|node-\d+|fluoz)\.zeno\.fm$/, host: 'stream.zeno.fm' },
  'radiojar.com': { machine: /^n[0-9a-f]{2}\.radiojar\.com$/, host: 'stream.radiojar.com' },
  'ihrhls.com': {
    machine: /^(?:n[0-9a-f]+-e\d+|cloud)\.revma\.ihrhls\.com$/,
    host: 'stream.revma.ihrhls.com',
  },
  'aiir.com': { machine: /^stream-\d+\.aiir\.com$/, host: 'stream.aiir.com' },
  'laut.fm': { machine: /^[\w-]+\.stream\.laut\.fm$/, host: 'stream.laut.fm' },
};

/** The servers of these networks answer anybody for years: the address stays; only its key uses the well-known host. */
const KEY_HOSTS: Record<string, CanonicalHost> = {
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

const CANONICAL_HOSTS = {
  address: new Map(Object.entries(ADDRESS_HOSTS)),
  key: new Map(Object.entries(KEY_HOSTS)),
};

interface KnownPlace {
  host: string;
  path: string;
}

/** The well-known address of the stream on a known network's server. */
function findCanonicalHost(
  use: keyof typeof CANONICAL_HOSTS,
  host: string,
  path: string,
): KnownPlace | undefined {
  const canonical = CANONICAL_HOSTS[use].get(registrableDomainOf(host));
  if (!canonical || !canonical.machine.test(host)) return undefined;
  if (!canonical.anyPath && !/^\/[^/]+$/.test(path)) return undefined;
  return { host: host.replace(canonical.machine, canonical.host), path: (canonical.prefix ?? '') + path };
}

/** Schemes by which web pages ask a podcast player to open a feed. */
const PLAYER_SCHEME = /^(?:feed|itpc|itms|pcast|podcast|rss):(?:\/\/)?(?=.)/i;

/**
 * The address to read a feed from, and a hash that is the same for all its spellings; or the reason why the address is
 * refused.
 */
export function cleanFeedAddress(text: string): { address: string; key: string } | { refused: string } {
  const trimmed = text.trim().slice(0, 2 * MAX_ADDRESS_LENGTH);
  const web = trimmed.replace(PLAYER_SCHEME, (scheme) => (scheme.endsWith('://') ? 'http://' : ''));
  const url = URL.parse(web);
  const reason = reasonAgainstFeed(url);
  if (!url || reason) return { refused: reason ?? MALFORMED_FEED };
  url.hash = '';
  // The two variants in which one old host serves each feed.
  if (/^feeds2?\.feedburner\.com$/.test(url.hostname)) url.search = '';
  return { address: url.href, key: uuidOf(`${url.host}${withoutLastSlashes(url.pathname)}${url.search}`) };
}

const MALFORMED_FEED = 'the feed’s address is malformed: give it as https://host/path';

function reasonAgainstFeed(url: URL | null): string | undefined {
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return MALFORMED_FEED;
  if (url.href.length > MAX_ADDRESS_LENGTH)
    return `the feed’s address is longer than ${MAX_ADDRESS_LENGTH} characters`;
  if (url.username !== '' || url.password !== '')
    return 'the feed’s address contains a password: private feeds are not listed';
  if (isOriginalService(url.hostname))
    return 'the feed’s address belongs to the original directory service, not to a show';
  if (!isPublicHost(url.hostname)) return 'the feed’s address is in a private network: give a public one';
  return undefined;
}
