import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Fault } from '../../../lib/fault.ts';
import { type Capacity, Exchange, type HttpContext } from '../exchange.ts';
import type { Failure } from '../failure.ts';
import { HTTP_LIMITS } from '../limits.ts';
import { type Peer, readPeer } from '../caller/peer.ts';
import { type Reply, respond, textReply } from '../respond.ts';
import type { Protocol } from '../server.ts';

/** A request from another machine, by its own protocol's rules. */
export interface PlainCall {
  method: string;
  /** The named parts of the path. */
  path: Readonly<Record<string, string | undefined>>;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  /** A stream; the reader sets the limit. */
  body: () => AsyncIterable<Buffer>;
  /** For rate limits. */
  address: string;
  now: Temporal.Instant;
}

export interface PlainAnswer {
  status: number;
  text: string;
  /** Names and values in turn. */
  headers?: readonly string[] | undefined;
}

export interface PlainEndpoint {
  /** With `:name` for a variable part. */
  path: string;
  answer: (call: PlainCall) => Promise<PlainAnswer>;
}

/** A separate capacity, so that slow bodies do not block radios. */
const MAX_CONCURRENCY = 100;
/** Time to receive a body and then to answer. */
const ANSWER_MS = HTTP_LIMITS.requestTimeoutMs + HTTP_LIMITS.callTimeoutMs;

export const plainEndpoint =
  (endpoint: PlainEndpoint): Protocol =>
  ({ app, context }) => {
    const capacity: Capacity = { inUse: 0, max: MAX_CONCURRENCY };
    // Encapsulated: elsewhere a body is parsed as a form before the handler runs.
    void app.register(async (room) => {
      room.removeAllContentTypeParsers();
      room.addContentTypeParser('*', (_request, _body, done) => done(null));
      room.route({
        method: ['GET', 'POST'],
        url: endpoint.path,
        handler: (request, reply) => new PlainExchange(context, endpoint, request, reply).answer(capacity),
      });
    });
  };

class PlainExchange extends Exchange<Reply> {
  readonly #endpoint: PlainEndpoint;
  readonly #params: FastifyRequest['params'];
  readonly #peer: Peer;

  constructor(
    context: HttpContext,
    endpoint: PlainEndpoint,
    { raw, params }: FastifyRequest,
    reply: FastifyReply,
  ) {
    super(context, endpoint.path, raw, reply.raw);
    reply.hijack();
    this.#endpoint = endpoint;
    this.#params = params;
    this.#peer = readPeer(raw, context.network);
  }

  answer(capacity: Capacity): void {
    this.run(
      async () => {
        this.context.rateLimit?.(this.#peer.address);
        const { status, text, headers: ownHeaders } = await this.#endpoint.answer(this.#call());
        return this.#reply(status, text, { ownHeaders });
      },
      ANSWER_MS,
      capacity,
    );
  }

  #call(): PlainCall {
    const { method = 'GET', url = '', headers } = this.request;
    const mark = url.indexOf('?');
    return {
      method,
      // oxlint-disable-next-line no-unsafe-type-assertion -- the router gives the named parts of the path as texts
      path: this.#params as PlainCall['path'],
      query: new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1)),
      headers,
      // After the reader stops early, the answer still has to go out on the same connection.
      body: () => this.request.iterator({ destroyOnReturn: false }),
      address: this.#peer.address,
      now: this.context.clock.now(),
    };
  }

  protected override replyTo({ status, message, retryAfterSeconds }: Failure): Reply {
    return this.#reply(status, `${message}\n`, { retryAfterSeconds });
  }

  /** Does not wait for the rest of an unread body. */
  #reply(status: number, text: string, more: Partial<Reply>): Reply {
    return textReply(status, text, { ...more, close: !this.request.complete });
  }

  protected override write(reply: Reply): void {
    respond(this.request, this.response, reply);
  }

  protected override logFields(): { address: string } {
    return this.#peer;
  }
}

/** From `Basic …`; the user name may be anything. Empty where there is none. */
export function basicPassword({ headers: { authorization = '' } }: PlainCall): string {
  const [, coded = ''] = /^Basic ([\w+/=-]{1,400})$/i.exec(authorization) ?? [];
  const pair = Buffer.from(coded, 'base64').toString('utf8');
  return pair.slice(pair.indexOf(':') + 1);
}

export async function bodyText({ body }: PlainCall, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body()) {
    length += chunk.length;
    if (length > maxBytes) throw new Fault(413, undefined, `More than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
