import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { Fault } from '../lib/fault.ts';
import { errorFields } from '../lib/log.ts';
import { networkOf } from './admission.ts';
import { readCaller } from './caller.ts';
import type { Call } from './endpoint.ts';
import { type EventStream, OpenStream } from './event-stream.ts';
import type { Shared } from './exchange.ts';
import { failureOf } from './failure.ts';
import { OpenStreams, type StreamLimits } from './open-streams.ts';
import { readCall } from './reading.ts';
import { ReceivedCall } from './received-call.ts';
import { respond } from './respond.ts';

/** What a page of the site listens to (server-sent events). */
export interface EventEndpoint {
  path: string;
  /** What the stream will tell; throws a Fault for a call that means nothing. Nothing is open yet. */
  prepare: (call: Call) => (stream: EventStream) => void;
  /** Other bounds than the usual ones; for tests that cannot wait. */
  limits?: StreamLimits | undefined;
}

export function addEventEndpoint(app: FastifyInstance, endpoint: EventEndpoint, shared: Shared): void {
  const { readiness, metrics } = shared;
  const streams = new OpenStreams(endpoint.limits);
  readiness.onDrain(() => streams.endAll());
  metrics.gauge('event_streams', 'Pages that listen to what plays', () => streams.size);
  app.get(endpoint.path, { exposeHeadRoute: false }, (request, reply) => {
    reply.hijack();
    const status = open(request.id, request.raw, reply.raw, endpoint, shared, streams);
    metrics.observe({ route: endpoint.path, c: 'other', status, opmlStatus: status }, 0);
  });
}

function open(
  id: string,
  request: IncomingMessage,
  response: ServerResponse,
  { path, prepare }: EventEndpoint,
  shared: Shared,
  streams: OpenStreams,
): number {
  try {
    refuseOtherSites(request);
    const call = receive(request, path, shared);
    const begin = prepare(call);
    const address = networkOf(call.caller.securityIp);
    streams.requireRoom(address);
    const stream = new OpenStream(response);
    streams.add(stream, address);
    // Any other answer than an open stream makes a page give up for good; this way it comes back to who stays.
    if (shared.readiness.isDraining) stream.end();
    else begin(stream);
    return 200;
  } catch (error) {
    return refuse(id, request, response, error, path, shared);
  }
}

/** Browsers say so; a page elsewhere could not read what comes, and would only hold the line. */
function refuseOtherSites({ headers }: IncomingMessage): void {
  const from = headers['sec-fetch-site'];
  if (from !== undefined && from !== 'same-origin' && from !== 'none')
    throw new Fault(403, 'request.invalid', 'Only pages of this host may listen here');
}

function receive(request: IncomingMessage, path: string, shared: Shared): Call {
  const { url = '' } = request;
  const mark = url.indexOf('?');
  const reading = readCall(mark === -1 ? '' : url.slice(mark + 1));
  const caller = readCaller(reading, request, shared.surroundings);
  const call = new ReceivedCall(reading, caller, path, request, shared.clock);
  shared.admit?.(call);
  return call;
}

function refuse(
  id: string,
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
  path: string,
  { log }: Shared,
): number {
  const { document, retryAfterSeconds, unexpected } = failureOf(error, id);
  if (unexpected)
    log.error({ reqId: id, route: path, err: errorFields(error) }, 'a call failed unexpectedly');
  const status = document.status ?? 500;
  const body = Buffer.from(`${document.fault}\n`);
  const contentType = 'text/plain; charset=utf-8';
  respond(request, response, { status, contentType, body, lifetime: { noStore: true }, retryAfterSeconds });
  return status;
}
