import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Capacity, Exchange, type HttpContext } from '../exchange.ts';
import type { Failure } from '../failure.ts';
import { parseHost } from '../caller/origin.ts';
import { type Peer, readPeer } from '../caller/peer.ts';
import { hasAlready } from '../respond.ts';
import type { Protocol } from '../server.ts';

/** A browser's request for a page or one of its files. */
export interface PageCall {
  /** Without the query. */
  path: string;
  /** With its question mark; '' where there is none. */
  query: string;
  headers: IncomingHttpHeaders;
  /** The requested host, as links show it; undefined without a Host header. */
  host: string | undefined;
  peer: Peer;
}

/** Unlike answers to radios, it sets its own browser policies. */
export interface PageAnswer {
  status: number;
  contentType: string;
  body: Buffer;
  encoding?: 'br' | 'gzip' | undefined;
  cacheControl: string;
  etag?: string | undefined;
  location?: string | undefined;
  /** Further headers, by their names. */
  headers?: Readonly<Record<string, string>> | undefined;
}

export interface PageEndpoint {
  /** A trailing `*` matches everything beneath. */
  path: string;
  answer: (call: PageCall) => PageAnswer | Promise<PageAnswer>;
}

/** A separate capacity, so that pages waiting for the database do not block radios. */
const MAX_CONCURRENCY = 200;

export const pageEndpoint =
  (endpoint: PageEndpoint): Protocol =>
  ({ app, context }) => {
    const capacity: Capacity = { inUse: 0, max: MAX_CONCURRENCY };
    app.get(endpoint.path, { exposeHeadRoute: true }, (request, reply) =>
      new PageExchange(context, endpoint, request, reply).answer(capacity),
    );
  };

class PageExchange extends Exchange<PageAnswer> {
  readonly #endpoint: PageEndpoint;
  readonly #peer: Peer;

  constructor(context: HttpContext, endpoint: PageEndpoint, { raw }: FastifyRequest, reply: FastifyReply) {
    super(context, endpoint.path, raw, reply.raw);
    reply.hijack();
    this.#endpoint = endpoint;
    this.#peer = readPeer(raw, context.network);
  }

  answer(capacity: Capacity): void {
    this.run(
      () => {
        this.context.rateLimit?.(this.#peer.address);
        return this.#endpoint.answer(callOf(this.request, this.#peer));
      },
      undefined,
      capacity,
    );
  }

  protected override replyTo({ status, message, retryAfterSeconds }: Failure): PageAnswer {
    return {
      status,
      contentType: 'text/plain; charset=utf-8',
      body: Buffer.from(`${message}\n`),
      cacheControl: 'no-store',
      headers: retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) },
    };
  }

  protected override write(answer: PageAnswer): void {
    send(this.request, this.response, answer);
  }

  protected override logFields(): { address: string } {
    return this.#peer;
  }
}

function callOf({ url = '/', headers }: IncomingMessage, peer: Peer): PageCall {
  const mark = url.indexOf('?');
  return {
    path: mark === -1 ? url : url.slice(0, mark),
    query: mark === -1 ? '' : url.slice(mark),
    headers,
    host: parseHost(headers.host ?? ''),
    peer,
  };
}

function send(request: IncomingMessage, response: ServerResponse, answer: PageAnswer): void {
  if (response.headersSent || response.destroyed) return;
  const { etag, encoding, location, contentType, cacheControl } = answer;
  const isKnown = etag !== undefined && hasAlready(request.headers['if-none-match'], etag);
  const headers: Record<string, string> = {
    'Cache-Control': cacheControl,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    Vary: 'Accept-Encoding',
    ...answer.headers,
  };
  if (etag !== undefined) headers['ETag'] = etag;
  if (location !== undefined) headers['Location'] = location;
  if (isKnown) return void response.writeHead(304, headers).end();
  headers['Content-Type'] = contentType;
  headers['Content-Length'] = String(answer.body.length);
  if (encoding !== undefined) headers['Content-Encoding'] = encoding;
  response.writeHead(answer.status, headers);
  response.end(request.method === 'HEAD' ? undefined : answer.body);
}
