import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from './caller.ts';
import { SiteFault } from './site-fault.ts';

export interface PageRequest {
  method: string;
  headers: IncomingHttpHeaders;
  caller: Pick<Caller, 'links' | 'scheme'>;
}

/**
 * Refuses what another site's page sends with a visitor's cookie. A write needs three things that such a page cannot give:
 * the browser's own word for where it comes from, a type that no form has, and a header that only our script sets.
 */
export function requireOwnPage(request: PageRequest): void {
  const { method, headers } = request;
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw crossSite();
  if (method === 'GET' || method === 'HEAD') return;
  if (headers.origin === undefined ? site !== 'same-origin' : !isOwnOrigin(headers.origin, request.caller))
    throw crossSite();
  if (headers['x-longwave'] !== '1')
    throw new SiteFault(403, 'site.header', "Calls that change something need the header 'X-Longwave: 1'");
  if (!/^application\/json\s*(?:;|$)/i.test(headers['content-type'] ?? ''))
    throw new SiteFault(415, 'site.notJson', "Send JSON, with 'Content-Type: application/json'");
}

/** A proxy may speak HTTPS for us without being known as one; the other way round would be a page sent in the clear. */
function isOwnOrigin(origin: string, { links, scheme }: PageRequest['caller']): boolean {
  const [own, said] = [URL.parse(links.origin), URL.parse(origin)];
  if (!own || !said || own.host === '' || !['http:', 'https:'].includes(said.protocol)) return false;
  const isSecureEnough = scheme === 'http' || said.protocol === 'https:';
  return isSecureEnough && portless(said) === portless(own) && said.port === own.port;
}

const portless = ({ hostname }: URL): string => hostname.toLowerCase();

const crossSite = (): SiteFault =>
  new SiteFault(
    403,
    'site.otherSite',
    "This call did not come from a page of this host. If it did, the operator must add the host's name to PUBLIC_HOSTS",
  );
