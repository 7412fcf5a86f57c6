import { randomBytes } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { SerialMemory } from '../devices/serial-memory.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { Surroundings } from './caller.ts';
import { directly } from './direct.ts';
import type { Call, Endpoint } from './endpoint.ts';
import { Exchange, type Shared } from './exchange.ts';
import { notAForm, unknownMethod } from './failure.ts';
import { LIMITS } from './limits.ts';
import { MenuCache } from './menu-cache.ts';
import type { Metrics } from './metrics.ts';
import type { NoteCall } from './note-call.ts';
import type { HealthReport, Readiness } from './readiness.ts';
import { type EventEndpoint, addEventEndpoint } from './event-endpoint.ts';
import { type PageEndpoint, addPageEndpoint } from './page-endpoint.ts';
import { type PlainEndpoint, addPlainEndpoint } from './plain-endpoint.ts';
import { overloaded } from './refusal.ts';
import { respond } from './respond.ts';
import type { SiteEndpoint } from './site-endpoint.ts';
import { addSiteEndpoints } from './site-routes.ts';
import { sendBrowsersTo } from './to-site.ts';

export interface ServerOptions extends Surroundings {
  endpoints: readonly Endpoint[];
  /** What other machines than radios ask for. */
  plainEndpoints?: readonly PlainEndpoint[];
  /** What a page listens to. */
  eventEndpoints?: readonly EventEndpoint[];
  /** What pages of the site ask for, by a session of their own. */
  siteEndpoints?: readonly SiteEndpoint[];
  /** What people's browsers open. */
  pageEndpoints?: readonly PageEndpoint[];
  /** Where browsers are sent that open the root; undefined where there is no site. */
  sitePath?: string | undefined;
  /** Where the site has a host of its own. */
  siteHost?: string | undefined;
  log: Log;
  metrics: Metrics;
  readiness: Readiness;
  maxInFlight: number;
  /** For hot menus; none are kept with 0. */
  menuCacheBytes?: number;
  clock?: Clock;
  callTimeoutMs?: number;
  admit?: (call: Call) => void;
  noteCall?: NoteCall | undefined;
}

/** The application without its sockets: routes, parameters, actions, answers. */
export interface Application {
  fastify: FastifyInstance;
  /** What a socket's requests are given to, once `fastify` is ready. */
  handle: RequestListener;
}

export function createServer(options: ServerOptions): Application {
  const shared = sharedBy(options);
  const nextId = requestIds();
  const app = Fastify({
    // Every line is our own: the framework's name the address, and with it passwords.
    logger: false,
    bodyLimit: LIMITS.maxFormBytes,
    genReqId: nextId,
    return503OnClosing: false,
    routerOptions: {
      caseSensitive: false,
      ignoreDuplicateSlashes: true,
      // Parameters are read with the form, by our own rules; parsing them here too would be for nobody.
      querystringParser: () => NO_QUERY,
    },
    frameworkErrors: (_error, request, reply) => answerPlainly(request, reply, 400, 'Bad request\n'),
  });
  acceptForms(app);
  addHealthRoutes(app, options.readiness);
  for (const endpoint of options.endpoints) addEndpoint(app, endpoint, shared);
  for (const endpoint of options.plainEndpoints ?? []) addPlainEndpoint(app, endpoint, shared);
  for (const endpoint of options.eventEndpoints ?? []) addEventEndpoint(app, endpoint, shared);
  addSiteEndpoints(app, options.siteEndpoints ?? [], shared);
  for (const endpoint of options.pageEndpoints ?? []) addPageEndpoint(app, endpoint, shared);
  answerTheRest(app, shared);
  const handle = directly(
    options.endpoints,
    (endpoint, request, response) => answerCall(shared, endpoint, nextId, request, response),
    (request, response) => app.routing(request, response),
  );
  const { sitePath } = options;
  return { fastify: app, handle: sitePath === undefined ? handle : sendBrowsersTo(sitePath, handle) };
}

function answerCall(
  shared: Shared,
  endpoint: Endpoint,
  nextId: () => string,
  request: IncomingMessage,
  response: ServerResponse,
  form = '',
): void {
  const exchange = new Exchange(shared, endpoint.paths[0], nextId, request, response);
  if (shared.inFlight < shared.maxInFlight) return exchange.run(endpoint, form);
  shared.metrics.countShed('in_flight');
  exchange.fail(overloaded());
}

/** The site's own host is one of ours too: its pages call it, and links in their answers stay there. */
const ownHosts = ({ publicHosts, siteHost }: ServerOptions): readonly string[] =>
  siteHost === undefined || publicHosts.length === 0 ? publicHosts : [...publicHosts, siteHost];

const NO_QUERY = {};
const DEFAULT_MENU_CACHE_BYTES = 64 * 2 ** 20;

function sharedBy(options: ServerOptions): Shared {
  const { log, metrics, readiness, admit, trustedProxies, findPartner, admitPartner } = options;
  const publicHosts = ownHosts(options);
  const shared: Shared = {
    surroundings: { publicHosts, trustedProxies, findPartner, admitPartner },
    log,
    metrics,
    readiness,
    admit,
    noteCall: options.noteCall,
    menus: new MenuCache(options.menuCacheBytes ?? DEFAULT_MENU_CACHE_BYTES),
    serials: new SerialMemory(),
    clock: options.clock ?? systemClock,
    callTimeoutMs: options.callTimeoutMs ?? LIMITS.callTimeoutMs,
    inFlight: 0,
    maxInFlight: options.maxInFlight,
    held: 0,
  };
  metrics.gauge('inflight', 'Calls whose answer is being waited for', () => shared.inFlight);
  return shared;
}

/** Unlike in other processes and after a restart, so that one id names one line of all logs. */
function requestIds(): () => string {
  const process = randomBytes(4).toString('hex');
  let count = 0;
  return () => {
    count += 1;
    return `${process}-${count.toString(36)}`;
  };
}

/** One character a byte, as the query string is: both are decoded by the same rules. */
function acceptForms(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer' },
    (_request, body, done) => {
      done(null, body.toString('latin1'));
    },
  );
  // Devices post nothing at all under any type; something under another type is a mistake worth telling.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    if (body.length === 0) done(null, '');
    else done(notAForm());
  });
}

function addEndpoint(app: FastifyInstance, endpoint: Endpoint, shared: Shared): void {
  const [route] = endpoint.paths;
  for (const url of endpoint.paths) {
    app.route({
      method: ['GET', 'HEAD', 'POST'],
      url,
      // Before the form is read: a server that is full does not read on.
      onRequest: (request, reply, done) => {
        if (shared.inFlight < shared.maxInFlight) return done();
        shared.metrics.countShed('in_flight');
        exchange(shared, route, request, reply).fail(overloaded());
      },
      handler: (request, reply) => {
        answerCall(shared, endpoint, () => request.id, request.raw, reply.raw, formOf(request));
      },
    });
  }
}

const exchange = (shared: Shared, route: string, request: FastifyRequest, reply: FastifyReply): Exchange =>
  new Exchange(shared, route, () => request.id, request.raw, reply.raw);

const formOf = ({ body }: FastifyRequest): string => (typeof body === 'string' ? body : '');

function addHealthRoutes(app: FastifyInstance, readiness: Readiness): void {
  const route = (url: string, report: () => HealthReport): void => {
    app.get(url, (request, reply) => {
      const { status, body } = report();
      answerPlainly(request, reply, status, body);
    });
  };
  route('/livez', () => readiness.live('public'));
  route('/readyz', () => readiness.ready());
}

/** Devices try pages that do not exist here; to a page of the protocol's kind the answer is the protocol's. */
const PROTOCOL_PAGE = /^[^?#]*\.(?:ashx|aspx|axd)(?:[?#]|$)/i;

function answerTheRest(app: FastifyInstance, shared: Shared): void {
  const answer = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const route = request.is404 ? 'other' : (request.routeOptions.url ?? 'other');
    if (request.is404 && !PROTOCOL_PAGE.test(request.url)) answerPlainly(request, reply, 404, 'Not found\n');
    else exchange(shared, route, request, reply).fail(error);
  };
  app.setNotFoundHandler((request, reply) => answer(unknownMethod(), request, reply));
  app.setErrorHandler((error, request, reply) => answer(error, request, reply));
}

function answerPlainly(request: FastifyRequest, reply: FastifyReply, status: number, body: string): void {
  respond(request.raw, reply.raw, {
    status,
    contentType: 'text/plain; charset=utf-8',
    body,
    lifetime: { noStore: true },
  });
}
