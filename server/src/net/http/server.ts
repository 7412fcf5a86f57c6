import { randomBytes } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { HttpContext } from './exchange.ts';
import { HTTP_LIMITS } from './limits.ts';
import { endWhileDraining, type HealthReport, type Readiness } from './readiness.ts';
import { respond, textReply } from './respond.ts';

/** Where a protocol registers its routes. */
export interface ProtocolHost {
  app: FastifyInstance;
  context: HttpContext;
  /** Paths whose GET bypasses the framework. */
  direct: Map<string, Answerer>;
  /** Handlers for unknown paths and unreadable bodies; the first that does not return false answers. */
  strays: StrayAnswerer[];
}

type StrayAnswerer = (error: unknown, request: FastifyRequest, reply: FastifyReply) => boolean;

/** A protocol registers its routes on a server. */
export type Protocol = (host: ProtocolHost) => void;

/** The application without its sockets. */
export interface Application {
  fastify: FastifyInstance;
  /** The request handler, usable once `fastify` is ready. */
  handle: RequestListener;
}

const NO_QUERY = {};

export function createHttpServer(context: HttpContext, protocols: readonly Protocol[]): Application {
  const app = Fastify({
    // The framework's own log lines contain the URL, and with it passwords.
    logger: false,
    bodyLimit: HTTP_LIMITS.maxFormBytes,
    genReqId: context.nextId,
    return503OnClosing: false,
    routerOptions: {
      caseSensitive: false,
      ignoreDuplicateSlashes: true,
      // Each protocol parses its own parameters; parsing them here too would be wasted.
      querystringParser: () => NO_QUERY,
    },
    frameworkErrors: (_error, request, reply) => answerPlainly(request, reply, 400, 'Bad request\n'),
  });
  app.addHook('onRequest', (_request, reply, done) => {
    endWhileDraining(context.readiness, reply.raw);
    done();
  });
  // The end of a body that is not there was before anybody could wait for it (`optimizeEmptyRequests`).
  app.addHook('preParsing', (_request, _reply, body, done) =>
    done(null, body.readableEnded ? Readable.from([]) : body),
  );
  addHealthRoutes(app, context.readiness);
  const host: ProtocolHost = { app, context, direct: new Map(), strays: [] };
  for (const protocol of protocols) protocol(host);
  answerTheRest(host);
  const handle = fastPath(host.direct, (request, response) => app.routing(request, response));
  const { capacity } = context;
  context.metrics.gauge('inflight', 'Calls in flight', () => capacity.inUse);
  context.metrics.gauge(
    'inflight_at_database',
    'Calls in flight that wait for the database',
    () => capacity.atDatabase?.inUse ?? 0,
  );
  return { fastify: app, handle };
}

/** Unique across processes and restarts, so that one id finds one line in all logs. */
export function requestIds(): () => string {
  const process = randomBytes(4).toString('hex');
  let count = 0;
  return () => {
    count += 1;
    return `${process}-${count.toString(36)}`;
  };
}

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

function answerTheRest({ app, strays }: ProtocolHost): void {
  const answer = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    if (strays.some((stray) => stray(error, request, reply))) return;
    answerPlainly(request, reply, 404, 'Not found\n');
  };
  app.setNotFoundHandler((request, reply) => answer(undefined, request, reply));
  app.setErrorHandler((error, request, reply) => answer(error, request, reply));
}

function answerPlainly(request: FastifyRequest, reply: FastifyReply, status: number, body: string): void {
  respond(request.raw, reply.raw, textReply(status, body));
}

/** Answers a request without a body. */
type Answerer = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * A radio's GET goes straight to the handler of its path; everything else (forms, other methods, patterns, unknown
 * paths) goes through the framework, whose routing and request objects cost up to a third of the whole answer.
 */
const fastPath =
  (byPath: ReadonlyMap<string, Answerer>, otherwise: RequestListener): RequestListener =>
  (request, response) => {
    const answer = request.method === 'GET' ? byPath.get(pathOf(request.url ?? '')) : undefined;
    if (answer && !hasBody(request)) answer(request, response);
    else if (isOriginForm(request)) otherwise(request, response);
    else fastPath(byPath, otherwise)(toOriginForm(request), response);
  };

/** All but what is sent to proxies, and `OPTIONS *`. */
const isOriginForm = ({ url = '' }: IncomingMessage): boolean => !/^https?:\/\//i.test(url);

/**
 * `GET http://radio.example:80/Browse.ashx HTTP/1.1`: receivers of Denon and Pioneer ask every server as if it were a
 * proxy. The host they name there counts, as the standard has it.
 */
function toOriginForm(request: IncomingMessage): IncomingMessage {
  const [, host = '', rest = ''] = /^https?:\/\/([^/?#]*)(.*)$/i.exec(request.url ?? '') ?? [];
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  if (host !== '') request.headers.host = host;
  return request;
}

function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
