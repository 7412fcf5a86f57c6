import { uuidOf } from '../lib/uuid-of.ts';
import { withoutNoise } from './address-noise.ts';
import { findFrontDoor } from './front-doors.ts';
import { isOriginalService, isPublicHost } from './refused-hosts.ts';

export interface CleanAddress {
  /** What a radio is given. */
  address: string;
  /** What is equal for two spellings of one stream; not an address. */
  key: string;
}

export const MAX_ADDRESS_LENGTH = 2048;

/**
 * A stream's address without session tokens and tracking, or the reason why it is none. The parts that stay keep the
 * spelling they came with, because old servers compare them letter by letter.
 */
export function cleanAddress(text: string): CleanAddress | { refused: string } {
  const url = parseAddress(text);
  if (typeof url === 'string') return { refused: url };
  const reason = reasonAgainst(url);
  if (reason) return { refused: reason };
  const query = withoutNoise(url.hostname, url.search.slice(1));
  const door = url.port === '' ? findFrontDoor('address', url.hostname, url.pathname) : undefined;
  const authority = door?.host ?? url.host;
  const path = door?.path ?? url.pathname;
  const address = `${url.protocol}//${authority}${path}${query && `?${query}`}`;
  if (address.length > MAX_ADDRESS_LENGTH) return { refused: TOO_LONG };
  return { address, key: keyOf(authority, path, query) };
}

/** The same canonical text is the same id everywhere: PostgreSQL's `md5(key)::uuid` gives it too. */
export const addressKey = (key: string): string => uuidOf(key);

const TOO_LONG = `the address is longer than ${MAX_ADDRESS_LENGTH} characters`;

function parseAddress(text: string): URL | string {
  if (text.length > 2 * MAX_ADDRESS_LENGTH) return TOO_LONG;
  const [beforeFragment = ''] = text.split('#', 1);
  const trimmed = beforeFragment.trim().replaceAll('&amp;', '&');
  return URL.parse(once(trimmed)) ?? 'the address is malformed: give it as http://host/path';
}

/** A paste that slipped gives the same address twice in a row. */
function once(address: string): string {
  const second = address.indexOf('://', 8);
  if (second === -1) return address;
  const half = address.slice(0, address.length / 2);
  return half + half === address ? half : address;
}

function reasonAgainst(url: URL): string | undefined {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return `the scheme ${url.protocol.slice(0, 20)} is played by no radio any more: give an http or https address`;
  }
  if (url.username !== '' || url.password !== '') return 'the address holds a password: remove it';
  if (isOriginalService(url.hostname))
    return 'the address is of the original directory service, not of a station';
  if (!isPublicHost(url.hostname)) return 'the address is inside somebody’s own network: give a public one';
  return undefined;
}

/**
 * http and https are one stream, as are the many spellings of a Shoutcast server's only stream (`/;`, `/;stream.mp3`,
 * `/`), a path with or without its last slash, and the default ports.
 */
function keyOf(authority: string, path: string, query: string): string {
  const [host = ''] = /^(?:\[[^\]]*\]|[^:]*)/.exec(authority) ?? [];
  const door = findFrontDoor('key', host, path);
  if (door) return `${door.host}${door.path}${query && `?${query}`}`;
  const semicolon = path.indexOf('/;');
  const stream = semicolon === -1 ? path : path.slice(0, semicolon);
  return `${authority.replace(/:(?:80|443)$/, '')}${withoutLastSlashes(stream)}${query && `?${query}`}`;
}

/** An expression that ends in `/+$` begins anew at each of many slashes. */
export function withoutLastSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}
