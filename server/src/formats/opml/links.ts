import { cleanMarkupText } from './characters.ts';
import type { Target } from './document.ts';

/** The caller's global parameters, which every link repeats so that the next call has them too. */
export interface Globals {
  formats?: string | undefined;
  partnerId?: string | undefined;
  serial?: string | undefined;
  locale?: string | undefined;
  username?: string | undefined;
  latlon?: string | undefined;
  /** The device profile that the caller claims. */
  device?: string | undefined;
}

/** How the targets of a document become addresses for one caller: `http://host`, and the globals as a suffix. */
export interface Links {
  origin: string;
  suffix: string;
}

/**
 * The order in which links repeat them. `render`, `callback` and `password` are not here, so no link can contain them.
 */
const ECHOED = [
  'formats',
  'partnerId',
  'serial',
  'locale',
  'username',
  'latlon',
  'device',
] as const satisfies (keyof Globals)[];

/** `&formats=mp3,aac&partnerId=demo`, or nothing; not yet escaped for XML. */
export function suffixOf(globals: Globals): string {
  let suffix = '';
  for (const name of ECHOED) {
    const value = globals[name];
    if (value) suffix += `&${name}=${encodeValue(value)}`;
  }
  return suffix;
}

/** The same around the serial, for the devices of one kind; a serial is repeated as it is if nothing in it needs encoding. */
export function suffixAroundSerial(globals: Globals): [before: string, behind: string] {
  // No value can contain this: an `&` in it is encoded.
  const [before = '', behind = ''] = suffixOf({ ...globals, serial: '*' }).split('&serial=*');
  return [`${before}&serial=`, behind];
}

/** A target's address up to where the caller's suffix goes. Always with a `?`: clients cut there, or append `&…`. */
export function beforeSuffix(target: Target, origin: string): string {
  const params = target.params.map(([name, value]) => `${encodeValue(name)}=${encodeValue(value)}`);
  return `${origin}${target.path}?${params.join('&')}`;
}

/** The part of a target's address after the suffix: the filter, which clients look for at the end. */
export const afterSuffix = ({ filter }: Target): string => (filter ? filterParameter(filter) : '');

/** Pages of station lists have only `s`. */
export const filterParameter = (filter: string): string =>
  filter === 's' ? '&filter=s' : `&filter=${encodeValue(filter)}`;

/** The whole address of a target, for answers that are not documents. */
export const writeAddress = (target: Target, links: Links): string =>
  beforeSuffix(target, links.origin) + links.suffix + afterSuffix(target);

/** A foreign address as a link: with an empty query if it has none, for clients that cut every link at `?`. */
export function withQuestionMark(address: string): string {
  if (address.includes('?')) return address;
  const fragment = address.indexOf('#');
  return fragment === -1 ? `${address}?` : `${address.slice(0, fragment)}?${address.slice(fragment)}`;
}

/** The address of such a link whose question mark it does not have itself; undefined where the mark can only be its own. */
export function withoutQuestionMark(link: string): string | undefined {
  const mark = link.indexOf('?');
  const address = mark === -1 ? link : `${link.slice(0, mark)}${link.slice(mark + 1)}`;
  return address !== link && withQuestionMark(address) === link ? address : undefined;
}

const READABLE = /^[\w.~!,:-]*$/;
/** Clients replace it by the listener's words; they look for the literal braces. */
const QUERY_PLACEHOLDER = '{QUERY}';

/** Percent-encoded, but with commas and colons readable: clients compare format lists and serials as text. */
function encodeValue(value: string): string {
  if (READABLE.test(value) || value === QUERY_PLACEHOLDER) return value;
  return encodeURIComponent(cleanMarkupText(value))
    .replaceAll('%2C', ',')
    .replaceAll('%3A', ':')
    .replaceAll("'", '%27');
}
