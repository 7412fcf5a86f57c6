import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { SerialMemory } from '../../../core/devices/serial-memory.ts';
import { notAForm } from '../../../net/http/failure.ts';
import type { Protocol, ProtocolHost } from '../../../net/http/server.ts';
import { type CallContext, CallExchange } from './call-exchange.ts';
import type { Endpoint } from './endpoint.ts';
import { HotAnswers } from './hot-answers.ts';
import { MenuCache } from './menu-cache.ts';
import { unknownMethod } from './render.ts';

export interface RadiotimeOptions extends Omit<CallContext, 'menus' | 'serials' | 'hot'> {
  endpoints: readonly Endpoint[];
  /** Size of the menu cache; 0 disables it. */
  menuCacheBytes?: number | undefined;
  /** What several processes know of devices; this one's own by default. */
  serials?: SerialMemory | undefined;
}

const DEFAULT_MENU_CACHE_BYTES = 64 * 2 ** 20;

/** The radios' protocol: OPML over HTTP, with parameters in the query string or a form. */
export const radiotime =
  ({
    endpoints,
    menuCacheBytes = DEFAULT_MENU_CACHE_BYTES,
    serials = new SerialMemory(),
    ...rest
  }: RadiotimeOptions): Protocol =>
  (host) => {
    const hot = new HotAnswers(host.context, { ...rest, serials }, menuCacheBytes / 4);
    const calls = { ...rest, menus: new MenuCache(menuCacheBytes), serials, hot };
    host.context.metrics.watchCache('menus', () => calls.menus.use());
    host.context.metrics.watchCache('answers', () => hot.use());
    acceptForms(host.app);
    for (const endpoint of endpoints) addEndpoint(host, endpoint, calls);
    host.strays.push((error, request, reply) => answerStray(host, calls, error, request, reply));
  };

/** One character per byte, like the query string: both are decoded by the same rules. */
function acceptForms(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer' },
    (_request, body, done) => {
      done(null, body.toString('latin1'));
    },
  );
  // Devices post empty bodies under any content type; a non-empty body of another type is an error worth reporting.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    if (body.length === 0) done(null, '');
    else done(notAForm());
  });
}

function addEndpoint({ app, context, direct }: ProtocolHost, endpoint: Endpoint, calls: CallContext): void {
  const [route] = endpoint.paths;
  const { capacity } = context;
  for (const url of endpoint.paths) {
    app.route({
      method: ['GET', 'HEAD', 'POST'],
      url,
      // Before the form is read: an overloaded server does not read bodies.
      onRequest: (request, reply, done) => {
        if (capacity.inUse < capacity.max) return done();
        new CallExchange(context, calls, route, request.raw, reply.raw).answer(endpoint, '');
      },
      handler: (request, reply) =>
        new CallExchange(context, calls, route, request.raw, reply.raw).answer(endpoint, formOf(request)),
    });
    if (url.includes(':') || url.includes('*')) continue;
    for (const path of [url, url.toLowerCase()])
      direct.set(path, (request, response) => {
        try {
          if (calls.hot.answer(request, response)) return;
        } catch (error) {
          return new CallExchange(context, calls, route, request, response).fail(error);
        }
        new CallExchange(context, calls, route, request, response).answer(endpoint, '');
      });
  }
}

const formOf = ({ body }: FastifyRequest): string => (typeof body === 'string' ? body : '');

/** Devices request pages that do not exist here; for paths of the protocol's kind the answer is the protocol's. */
const PROTOCOL_PAGE = /^[^?#]*\.(?:ashx|aspx|axd)(?:[?#]|$)/i;

function answerStray(
  { context }: ProtocolHost,
  calls: CallContext,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): boolean {
  if (request.is404 && !PROTOCOL_PAGE.test(request.url)) return false;
  const route = request.is404 ? 'other' : (request.routeOptions.url ?? 'other');
  new CallExchange(context, calls, route, request.raw, reply.raw).fail(error ?? unknownMethod());
  return true;
}
