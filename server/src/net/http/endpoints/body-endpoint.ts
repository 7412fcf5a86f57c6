import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Fault } from '../../../lib/fault.ts';
import { ArrivingBodies } from './arriving-bodies.ts';
import { type Capacity, Exchange, type HttpContext } from '../exchange.ts';
import { type Failure, overloaded } from '../failure.ts';
import { type Peer, readPeer } from '../caller/peer.ts';
import { type Reply, respond } from '../respond.ts';
import { hasBody, type Protocol } from '../server.ts';

/** A request of an app, whose body is read as bytes whatever type it says it has. */
export interface BodyCall {
  method: string;
  /** As it came in, without the query. */
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: Buffer;
  peer: Peer;
  now: Temporal.Instant;
}

export interface BodyEndpoint {
  /** As the router spells them; `*` for the rest of a path. The first one names them all in metrics. */
  paths: readonly string[];
  methods: ('GET' | 'HEAD' | 'POST' | 'PUT' | 'OPTIONS')[];
  maxBodyBytes: number;
  /** Calls that wait for something, and as many whose body is being received; further ones are refused. */
  maxConcurrency: number;
  timeoutMs: number;
  /** What a call is named in metrics: one of a few. */
  nameOf: (call: BodyCall) => string;
  answer: (call: BodyCall) => Promise<Reply>;
  /** In the form of the protocol. */
  refuse: (failure: Failure, call: BodyCall) => Reply;
  /** What must be in no log. */
  secretsOf: (call: BodyCall) => readonly string[];
}

export const bodyEndpoint =
  (endpoint: BodyEndpoint): Protocol =>
  ({ app, context }) => {
    const capacity: Capacity = { inUse: 0, max: endpoint.maxConcurrency };
    const arriving = new ArrivingBodies(endpoint.maxConcurrency);
    const exchangeOf = (request: FastifyRequest, reply: FastifyReply): BodyExchange =>
      new BodyExchange(context, endpoint, request, reply);
    // In a scope of its own: elsewhere a body is a form.
    void app.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      const options = { parseAs: 'buffer', bodyLimit: endpoint.maxBodyBytes } as const;
      scope.addContentTypeParser('*', options, (_request, body, done) => done(null, body));
      scope.setErrorHandler((error, request, reply) =>
        exchangeOf(request, reply).fail(explained(error, endpoint)),
      );
      for (const url of endpoint.paths)
        scope.route({
          method: endpoint.methods,
          url,
          // Before the body is read: who is refused need not send it.
          onRequest: (request, reply, done) => {
            if (exchangeOf(request, reply).admit(capacity, arriving)) done();
          },
          handler: (request, reply) => exchangeOf(request, reply).answer(capacity),
        });
    });
  };

function explained(error: unknown, { maxBodyBytes }: BodyEndpoint): unknown {
  const isTooLarge = error instanceof Error && 'code' in error && error.code === 'FST_ERR_CTP_BODY_TOO_LARGE';
  return isTooLarge
    ? new Fault(413, undefined, `The body is larger than ${maxBodyBytes} bytes; send it in parts`)
    : error;
}

class BodyExchange extends Exchange<Reply> {
  readonly #endpoint: BodyEndpoint;
  readonly #call: BodyCall;

  constructor(
    context: HttpContext,
    endpoint: BodyEndpoint,
    { raw, body }: FastifyRequest,
    { raw: response }: FastifyReply,
  ) {
    super(context, endpoint.paths[0] ?? '', raw, response);
    const { method = 'GET', url = '', headers } = raw;
    const mark = url.indexOf('?');
    this.#endpoint = endpoint;
    this.#call = {
      method,
      path: mark === -1 ? url : url.slice(0, mark),
      query: new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1)),
      headers,
      body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
      peer: readPeer(raw, context.network),
      now: context.clock.now(),
    };
    this.method = endpoint.nameOf(this.#call);
  }

  /** Whether there is room for it; answers it otherwise. */
  admit({ inUse, max }: Capacity, arriving: ArrivingBodies): boolean {
    const { address } = this.#call.peer;
    try {
      if (inUse >= max) this.#shed();
      this.context.rateLimit?.(address);
      if (hasBody(this.request) && !arriving.admit(address, this.request, this.response)) this.#shed();
      return true;
    } catch (error) {
      this.fail(error);
      return false;
    }
  }

  #shed(): never {
    this.context.metrics.countShed('in_flight');
    throw overloaded();
  }

  answer(capacity: Capacity): void {
    this.run(() => this.#endpoint.answer(this.#call), this.#endpoint.timeoutMs, capacity);
  }

  /** What is left of a body that nobody wanted is not waited for. */
  protected override replyTo(failure: Failure): Reply {
    const { retryAfterSeconds } = failure;
    return {
      ...this.#endpoint.refuse(failure, this.#call),
      retryAfterSeconds,
      close: !this.request.complete,
    };
  }

  protected override write(reply: Reply): void {
    respond(this.request, this.response, reply);
  }

  protected override secrets(): readonly string[] {
    return this.#endpoint.secretsOf(this.#call);
  }

  protected override logFields(): { address: string } {
    return this.#call.peer;
  }
}
