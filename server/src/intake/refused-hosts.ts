import ipaddr from 'ipaddr.js';

/** Nothing is taken from the original directory service: neither its links nor its pictures. */
const ORIGINAL_SERVICE = new Set(['tunein.com', 'radiotime.com']);

/** Names that only mean something inside somebody's house. */
const HOME_LABELS = new Set(['.local', '.lan', '.home', '.internal', '.localdomain', '.localhost']);

/** The last two labels, which name the network of a machine: `stream-7.example.com` -> `example.com`. */
export function networkOf(host: string): string {
  const last = host.lastIndexOf('.');
  return last === -1 ? host : host.slice(host.lastIndexOf('.', last - 1) + 1);
}

export const isOriginalService = (host: string): boolean => ORIGINAL_SERVICE.has(networkOf(host));

/** A host as `URL` spells it (lower case, numbers of any form made dotted) that the whole internet can reach. */
export function isPublicHost(host: string): boolean {
  if (host.startsWith('[')) return isPublicNumber(host.slice(1, -1));
  const lastLabel = host.slice(host.lastIndexOf('.'));
  if (/^\.?\d+$/.test(lastLabel)) return isPublicNumber(host);
  return lastLabel.startsWith('.') && !HOME_LABELS.has(lastLabel) && !host.endsWith('.home.arpa');
}

function isPublicNumber(text: string): boolean {
  return ipaddr.isValid(text) && ipaddr.process(text).range() === 'unicast';
}
