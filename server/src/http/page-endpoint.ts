import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { errorFields } from '../lib/log.ts';
import { type Caller, readCaller } from './caller.ts';
import { withDeadline } from './deadline.ts';
import type { Shared } from './exchange.ts';
import { failureOf } from './failure.ts';
import { parseHost } from './origin.ts';
import { readCall } from './reading.ts';
import { ReceivedCall } from './received-call.ts';
import { tooSlow } from './refusal.ts';
import { hasAlready } from './respond.ts';

/** What a person's browser asks for: a page, or a file of it. */
export interface PageCall {
  /** Without the query. */
  path: string;
  /** With its question mark; '' where there is none. */
  query: string;
  headers: IncomingHttpHeaders;
  /** The host asked for, as links show it; undefined when the caller names none. */
  host: string | undefined;
  caller: Caller;
}

/** Unlike an answer to a radio it says itself what a browser may do with it. */
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
  /** With `*` at its end for everything beneath. */
  path: string;
  answer: (call: PageCall) => PageAnswer | Promise<PageAnswer>;
}

export function addPageEndpoint(app: FastifyInstance, endpoint: PageEndpoint, shared: Shared): void {
  app.get(endpoint.path, { exposeHeadRoute: true }, async (request, reply) => {
    reply.hijack();
    const startMs = shared.clock.elapsedMs();
    const answer = await settle(request, endpoint, shared);
    send(request.raw, reply.raw, answer);
    const { status } = answer;
    const outcome = { route: endpoint.path, c: 'other', status, opmlStatus: status };
    shared.metrics.observe(outcome, (shared.clock.elapsedMs() - startMs) / 1000);
  });
}

async function settle(request: FastifyRequest, endpoint: PageEndpoint, shared: Shared): Promise<PageAnswer> {
  try {
    const reading = readCall('');
    const caller = readCaller(reading, request.raw, shared.surroundings);
    shared.admit?.(new ReceivedCall(reading, caller, endpoint.path, request.raw, shared.clock));
    const answer = endpoint.answer(callOf(request.raw, caller));
    return answer instanceof Promise ? await withDeadline(answer, shared.callTimeoutMs, tooSlow) : answer;
  } catch (error) {
    return failed(error, request.id, endpoint.path, shared);
  }
}

function callOf({ url = '/', headers }: IncomingMessage, caller: Caller): PageCall {
  const mark = url.indexOf('?');
  return {
    path: mark === -1 ? url : url.slice(0, mark),
    query: mark === -1 ? '' : url.slice(mark),
    headers,
    host: parseHost(headers.host ?? ''),
    caller,
  };
}

function failed(error: unknown, id: string, route: string, { log }: Shared): PageAnswer {
  const { document, retryAfterSeconds, unexpected } = failureOf(error, id);
  if (unexpected) log.error({ reqId: id, route, err: errorFields(error) }, 'a call failed unexpectedly');
  return {
    status: document.status ?? 500,
    contentType: 'text/plain; charset=utf-8',
    body: Buffer.from(`${document.fault}\n`),
    cacheControl: 'no-store',
    headers: retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) },
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
