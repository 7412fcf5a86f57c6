import { type Clock, systemClock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { type EventEndpoint, eventEndpoint } from '../net/http/endpoints/event-endpoint.ts';
import type { Capacity, HttpContext } from '../net/http/exchange.ts';
import { HTTP_LIMITS } from '../net/http/limits.ts';
import type { Metrics } from '../net/http/metrics.ts';
import { type PageEndpoint, pageEndpoint } from '../net/http/endpoints/page-endpoint.ts';
import type { NetworkConfig } from '../net/http/caller/peer.ts';
import { type PlainEndpoint, plainEndpoint } from '../net/http/endpoints/plain-endpoint.ts';
import type { RateLimit } from '../net/http/caller/rate-limit.ts';
import type { Readiness } from '../net/http/readiness.ts';
import { type Application, type Protocol, createHttpServer, requestIds } from '../net/http/server.ts';
import { sendBrowsersTo } from '../net/http/to-site.ts';
import type { Traces } from '../net/traces.ts';
import { type RadiotimeOptions, radiotime } from '../protocols/radiotime/call/radiotime.ts';
import type { SiteEndpoint } from '../protocols/site/session/site-endpoint.ts';
import { siteEndpoints } from '../protocols/site/session/site-routes.ts';
import { databaseWait } from '../storage/db/wait-factor.ts';

export interface ServerOptions extends NetworkConfig, RadiotimeOptions {
  /** Endpoints for other machines than radios. */
  plainEndpoints?: readonly PlainEndpoint[];
  /** Event streams for pages. */
  eventEndpoints?: readonly EventEndpoint[];
  /** The site's API, authenticated by sessions. */
  siteEndpoints?: readonly SiteEndpoint[];
  /** Pages and files for browsers. */
  pageEndpoints?: readonly PageEndpoint[];
  /** Further protocols. */
  protocols?: readonly Protocol[];
  /** Where browsers that open the root are redirected; undefined without a site. */
  sitePath?: string | undefined;
  /** The site's own host name, if it has one. */
  siteHost?: string | undefined;
  log: Log;
  metrics: Metrics;
  readiness: Readiness;
  maxInFlight: number;
  clock?: Clock;
  callTimeoutMs?: number;
  rateLimit?: RateLimit;
  /** Undefined: no traces. */
  traces?: Traces | undefined;
}

/** The application without its sockets: every protocol over one transport. */
export function createServer(options: ServerOptions): Application {
  const { plainEndpoints = [], eventEndpoints = [], pageEndpoints = [] } = options;
  const protocols: Protocol[] = [
    radiotime(options),
    ...plainEndpoints.map(plainEndpoint),
    ...eventEndpoints.map(eventEndpoint),
    siteEndpoints(options.siteEndpoints ?? []),
    ...pageEndpoints.map(pageEndpoint),
    ...(options.protocols ?? []),
  ];
  const { fastify, handle } = createHttpServer(contextOf(options), protocols);
  const { sitePath } = options;
  return { fastify, handle: sitePath === undefined ? handle : sendBrowsersTo(sitePath, handle) };
}

function contextOf(options: ServerOptions): HttpContext {
  const { log, metrics, readiness, trustedProxies, rateLimit } = options;
  return {
    network: { publicHosts: ownHosts(options), trustedProxies },
    log,
    metrics,
    readiness,
    rateLimit,
    traces: options.traces,
    clock: options.clock ?? systemClock,
    callTimeoutMs: options.callTimeoutMs ?? databaseWait(HTTP_LIMITS.callTimeoutMs),
    capacity: capacityOf(options.maxInFlight),
    nextId: requestIds(),
    held: 0,
  };
}

/** A database that has gone silent leaves half of them to the calls that need none. */
const capacityOf = (maxInFlight: number): Capacity => ({
  inUse: 0,
  max: maxInFlight,
  atDatabase: { inUse: 0, max: Math.ceil(maxInFlight / 2) },
});

/** The site's own host is one of ours too: its pages call it, and links in their answers stay there. */
const ownHosts = ({ publicHosts, siteHost }: ServerOptions): readonly string[] =>
  siteHost === undefined || publicHosts.length === 0 ? publicHosts : [...publicHosts, siteHost];
