import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Fault, Refusal } from '../../../lib/fault.ts';
import { networkOf } from '../../../lib/network-of.ts';
import { type EventStream, OpenStream } from './event-stream.ts';
import { Exchange, type HttpContext } from '../exchange.ts';
import type { Failure } from '../failure.ts';
import { type Peer, readPeer } from '../caller/peer.ts';
import { type Reply, respond, textReply } from '../respond.ts';
import type { Protocol } from '../server.ts';

/** A stream of server-sent events for a page of the site. */
export interface EventEndpoint {
  path: string;
  /**
   * Validates the query and returns what starts the stream; throws a Fault for an invalid query, before anything is
   * opened.
   */
  prepare: (query: URLSearchParams) => (stream: EventStream) => void;
  /** Overrides for tests. */
  limits?: StreamLimits | undefined;
}

export const eventEndpoint =
  (endpoint: EventEndpoint): Protocol =>
  ({ app, context }) => {
    const streams = new OpenStreams(endpoint.limits);
    context.readiness.onDrain(() => streams.endAll());
    context.metrics.gauge('event_streams', 'Pages that receive song updates', () => streams.size);
    app.get(endpoint.path, { exposeHeadRoute: false }, (request, reply) =>
      new EventExchange(context, endpoint, request, reply).open(streams),
    );
  };

/** Its answer is a stream that stays open; only a refusal is an ordinary response. */
class EventExchange extends Exchange<Reply | { status: 200; stream: OpenStream }> {
  readonly #endpoint: EventEndpoint;
  readonly #peer: Peer;

  constructor(context: HttpContext, endpoint: EventEndpoint, { raw }: FastifyRequest, reply: FastifyReply) {
    super(context, endpoint.path, raw, reply.raw);
    reply.hijack();
    this.#endpoint = endpoint;
    this.#peer = readPeer(raw, context.network);
  }

  open(streams: OpenStreams): void {
    this.run(() => {
      this.#requireItsAddress();
      refuseOtherSites(this.request);
      this.context.rateLimit?.(this.#peer.address);
      const begin = this.#endpoint.prepare(queryOf(this.request));
      const network = networkOf(this.#peer.address);
      streams.requireRoom(network);
      const stream = new OpenStream(this.response);
      streams.add(stream, network);
      // Any response other than an open stream makes the page give up for good; ended like this, it reconnects to
      // another process.
      if (this.context.readiness.isDraining) stream.end();
      else begin(stream);
      return { status: 200, stream };
    });
  }

  /**
   * The router takes other spellings too; a proxy that keeps streams apart from calls, by this address, would count one of those as
   * a call that never ends.
   */
  #requireItsAddress(): void {
    const { path } = this.#endpoint;
    if (this.request.url?.split('?', 1)[0] !== path)
      throw new Fault(404, undefined, `Not found; the event stream is at ${path}`);
  }

  protected override replyTo({ status, message, retryAfterSeconds }: Failure): Reply {
    return textReply(status, `${message}\n`, { retryAfterSeconds });
  }

  protected override write(reply: Reply | { status: 200; stream: OpenStream }): void {
    if (!('stream' in reply)) respond(this.request, this.response, reply);
  }

  protected override logFields(): { address: string } {
    return this.#peer;
  }
}

/**
 * Rejects other sites by the browser's own headers: their pages could not read the events and would only hold a
 * connection.
 */
function refuseOtherSites({ headers }: IncomingMessage): void {
  const from = headers['sec-fetch-site'];
  if (from !== undefined && from !== 'same-origin' && from !== 'none')
    throw new Fault(403, 'request.invalid', 'Only pages of this host may open this event stream');
}

function queryOf({ url = '' }: IncomingMessage): URLSearchParams {
  const mark = url.indexOf('?');
  return new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1));
}

/** Each costs a connection and some kilobytes. */
const MAX = 2000;
/** Enough for a household; a browser opens at most six per host. */
const MAX_PER_ADDRESS = 12;
/** Shorter than the timeouts of sockets and the usual proxies. */
const BEAT_MS = 15_000;
/** After this the page reconnects, perhaps to a less busy process. */
const MAX_MS = 30 * 60_000;
const RETRY_SECONDS = 30;

export interface StreamLimits {
  most?: number;
  mostOfAddress?: number;
  beatMs?: number;
  longestMs?: number;
}

/** The open streams within their limits; one timer sends all heartbeats. */
class OpenStreams {
  readonly #open = new Map<OpenStream, string>();
  readonly #ofAddress = new Map<string, number>();
  readonly #limits: Required<StreamLimits>;
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: StreamLimits = {}) {
    this.#limits = {
      most: MAX,
      mostOfAddress: MAX_PER_ADDRESS,
      beatMs: BEAT_MS,
      longestMs: MAX_MS,
      ...limits,
    };
  }

  get size(): number {
    return this.#open.size;
  }

  /** Throws a Refusal when a limit is reached. */
  requireRoom(address: string): void {
    if ((this.#ofAddress.get(address) ?? 0) >= this.#limits.mostOfAddress)
      throw new Refusal(
        429,
        'request.tooMany',
        'Too many event streams are open from this address; close one',
        RETRY_SECONDS,
      );
    if (this.#open.size >= this.#limits.most)
      throw new Refusal(
        503,
        'request.overloaded',
        'Too many event streams are open; use Describe.ashx?c=nowplaying instead, or try again later',
        RETRY_SECONDS,
      );
  }

  add(stream: OpenStream, address: string): void {
    this.#open.set(stream, address);
    this.#ofAddress.set(address, (this.#ofAddress.get(address) ?? 0) + 1);
    const late = setTimeout(() => stream.end(), this.#limits.longestMs).unref();
    this.#timer ??= setInterval(() => this.#beat(), this.#limits.beatMs).unref();
    stream.onEnd(() => {
      clearTimeout(late);
      this.#drop(stream, address);
    });
  }

  /** Ends all streams; their pages reconnect elsewhere. */
  endAll(): void {
    for (const stream of this.#open.keys()) stream.end();
  }

  #beat(): void {
    for (const stream of this.#open.keys()) stream.beat();
  }

  #drop(stream: OpenStream, address: string): void {
    if (!this.#open.delete(stream)) return;
    const left = (this.#ofAddress.get(address) ?? 1) - 1;
    if (left > 0) this.#ofAddress.set(address, left);
    else this.#ofAddress.delete(address);
    if (this.#open.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
