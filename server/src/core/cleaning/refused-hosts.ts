import ipaddr from 'ipaddr.js';

/** Nothing is copied from the original directory service: neither its links nor its images. */
const ORIGINAL_SERVICE = new Set(['tunein.com', 'radiotime.com']);

/** Names that are only valid inside a home network. */
const HOME_LABELS = new Set(['.local', '.lan', '.home', '.internal', '.localdomain', '.localhost']);

/** The last two labels, which name a server's network: `stream-7.example.com` -> `example.com`. */
export function registrableDomainOf(host: string): string {
  const last = host.lastIndexOf('.');
  return last === -1 ? host : host.slice(host.lastIndexOf('.', last - 1) + 1);
}

export const isOriginalService = (host: string): boolean => ORIGINAL_SERVICE.has(registrableDomainOf(host));

/** Whether the whole internet can reach a host, spelled as `URL` does (lower case, IPv4 of any form made dotted). */
export function isPublicHost(host: string): boolean {
  if (host.startsWith('[')) return isPublicNumber(host.slice(1, -1));
  const lastLabel = host.slice(host.lastIndexOf('.'));
  if (/^\.?\d+$/.test(lastLabel)) return isPublicNumber(host);
  return lastLabel.startsWith('.') && !HOME_LABELS.has(lastLabel) && !host.endsWith('.home.arpa');
}

function isPublicNumber(text: string): boolean {
  return ipaddr.isValid(text) && ipaddr.process(text).range() === 'unicast';
}
