import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { ArrivingBodies } from '../../../net/http/endpoints/arriving-bodies.ts';
import type { Capacity, HttpContext } from '../../../net/http/exchange.ts';
import { overloaded } from '../../../net/http/failure.ts';
import type { Peer } from '../../../net/http/caller/peer.ts';
import { hasBody, type Protocol } from '../../../net/http/server.ts';
import { MAX_BODY_BYTES, type SiteEndpoint, SiteFault } from './site-endpoint.ts';
import { readSiteCaller, SiteExchange } from './site-exchange.ts';

/** A separate capacity, so that slow bodies do not block radios. */
const MAX_CONCURRENCY = 200;
const PREFIX = '/listen/api/';

/** Calls that are being answered, and bodies that are being received. */
interface Room {
  capacity: Capacity;
  arriving: ArrivingBodies;
}

export const siteEndpoints =
  (endpoints: readonly SiteEndpoint[]): Protocol =>
  ({ app, context }) => {
    if (endpoints.length === 0) return;
    const room: Room = {
      capacity: { inUse: 0, max: MAX_CONCURRENCY },
      arriving: new ArrivingBodies(MAX_CONCURRENCY),
    };
    // Encapsulated: elsewhere a body is parsed as a form.
    void app.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      const options = { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES } as const;
      scope.addContentTypeParser('*', options, (_request, body, done) => done(null, body));
      scope.setErrorHandler((error, request, reply) =>
        new SiteExchange(context, 'other', request, reply).fail(error),
      );
      for (const endpoint of endpoints) addRoute(scope, endpoint, context, room);
      scope.all(`${PREFIX}*`, (request, reply) =>
        new SiteExchange(context, 'other', request, reply).fail(unknownCall()),
      );
    });
  };

function addRoute(
  scope: FastifyInstance,
  endpoint: SiteEndpoint,
  context: HttpContext,
  { capacity, arriving }: Room,
): void {
  const { method, path: url } = endpoint;
  scope.route({
    method,
    url,
    exposeHeadRoute: false,
    // Before the body is read, so that refused callers cost no more.
    onRequest: ({ raw, headers }, reply, done) => {
      try {
        if (capacity.inUse >= capacity.max) throw overloaded();
        const caller = readSiteCaller(raw, context);
        context.rateLimit?.(caller.address);
        requireSameOrigin({ method, headers, caller });
        if (hasBody(raw) && !arriving.admit(caller.address, raw, reply.raw)) throw overloaded();
        done();
      } catch (error) {
        // oxlint-disable-next-line no-unsafe-type-assertion -- what is thrown here is ours
        done(error as Error);
      }
    },
    handler: (request, reply) => new SiteExchange(context, url, request, reply).answer(endpoint, capacity),
  });
}

const unknownCall = (): SiteFault =>
  new SiteFault(
    404,
    'site.unknownCall',
    'Unknown call; docs/site-api.md lists all of them with their methods',
  );

interface OriginHeaders {
  method: string;
  headers: IncomingHttpHeaders;
  caller: Pick<Peer, 'origin' | 'scheme'>;
}

/**
 * CSRF protection. A write needs three things that another site's page cannot provide: the browser's own Origin or
 * Sec-Fetch-Site header, a content type that no form can send, and a header that only our script sets.
 */
function requireSameOrigin(request: OriginHeaders): void {
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

/**
 * A proxy may terminate HTTPS without being trusted, so an https Origin is accepted; an http one for an HTTPS request
 * is not.
 */
function isOwnOrigin(origin: string, { origin: ownOrigin, scheme }: OriginHeaders['caller']): boolean {
  const [own, said] = [URL.parse(ownOrigin), URL.parse(origin)];
  if (!own || !said || own.host === '' || !['http:', 'https:'].includes(said.protocol)) return false;
  const isSecureEnough = scheme === 'http' || said.protocol === 'https:';
  return isSecureEnough && portless(said) === portless(own) && said.port === own.port;
}

const portless = ({ hostname }: URL): string => hostname.toLowerCase();

const crossSite = (): SiteFault =>
  new SiteFault(
    403,
    'site.otherSite',
    'This call did not come from a page of this host. If it did, the operator must add the host to PUBLIC_HOSTS',
  );
