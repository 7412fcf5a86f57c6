import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errorFields } from '../lib/log.ts';
import { readCaller } from './caller.ts';
import type { Shared } from './exchange.ts';
import { failureOf } from './failure.ts';
import { readCall } from './reading.ts';
import { ReceivedCall } from './received-call.ts';
import { overloaded } from './refusal.ts';
import { respond } from './respond.ts';

/** What another machine asks by the rules of its own protocol, not of the radios'. */
export interface PlainCall {
  method: string;
  /** The parts of the path that stand for something. */
  path: Readonly<Record<string, string | undefined>>;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  /** As it comes in; who reads it sets the limit. */
  body: () => AsyncIterable<Buffer>;
  /** Whom limits mean. */
  address: string;
  now: Temporal.Instant;
}

export interface PlainAnswer {
  status: number;
  text: string;
}

export interface PlainEndpoint {
  /** With `:name` for a part that stands for something. */
  path: string;
  answer: (call: PlainCall) => Promise<PlainAnswer>;
}

/** Apart from the radios' calls, so that bodies which drip in take no place of theirs. */
const MOST_AT_ONCE = 100;

export function addPlainEndpoint(app: FastifyInstance, endpoint: PlainEndpoint, shared: Shared): void {
  let atOnce = 0;
  const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    reply.hijack();
    const startMs = shared.clock.elapsedMs();
    atOnce += 1;
    const answer = await settle(request, endpoint, shared, atOnce > MOST_AT_ONCE);
    atOnce -= 1;
    send(request.raw, reply, answer);
    const { status } = answer;
    const outcome = { route: endpoint.path, c: 'other', status, opmlStatus: status };
    shared.metrics.observe(outcome, (shared.clock.elapsedMs() - startMs) / 1000);
  };
  // In a room of its own: elsewhere a body is a form and read before anybody looks at the call.
  void app.register(async (room) => {
    room.removeAllContentTypeParsers();
    room.addContentTypeParser('*', (_request, _body, done) => done(null));
    room.route({ method: ['GET', 'POST'], url: endpoint.path, handler });
  });
}

interface Settled extends PlainAnswer {
  retryAfterSeconds?: number | undefined;
}

async function settle(
  request: FastifyRequest,
  { path, answer }: PlainEndpoint,
  shared: Shared,
  isFull: boolean,
): Promise<Settled> {
  try {
    if (isFull) throw overloaded();
    const reading = readCall('');
    const caller = readCaller(reading, request.raw, shared.surroundings);
    shared.admit?.(new ReceivedCall(reading, caller, path, request.raw, shared.clock));
    return await answer(callOf(request, caller.securityIp, shared.clock.now()));
  } catch (error) {
    const { document, retryAfterSeconds, unexpected } = failureOf(error, request.id);
    if (unexpected)
      shared.log.error(
        { reqId: request.id, route: path, err: errorFields(error) },
        'a call failed unexpectedly',
      );
    return { status: document.status ?? 500, text: `${document.fault}\n`, retryAfterSeconds };
  }
}

function callOf({ raw, params }: FastifyRequest, address: string, now: Temporal.Instant): PlainCall {
  const { method = 'GET', url = '', headers } = raw;
  const mark = url.indexOf('?');
  return {
    method,
    // oxlint-disable-next-line no-unsafe-type-assertion -- the router gives the named parts of the path as texts
    path: params as PlainCall['path'],
    query: new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1)),
    headers,
    // Whoever stops reading still has to be answered on the same connection.
    body: () => raw.iterator({ destroyOnReturn: false }),
    address,
    now,
  };
}

function send(
  request: IncomingMessage,
  reply: FastifyReply,
  { status, text, retryAfterSeconds }: Settled,
): void {
  respond(request, reply.raw, {
    status,
    contentType: 'text/plain; charset=utf-8',
    body: Buffer.from(text),
    lifetime: { noStore: true },
    retryAfterSeconds,
    // What is left of a body that nobody wanted is not waited for.
    close: !request.complete,
  });
}
