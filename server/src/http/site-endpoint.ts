import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errorFields } from '../lib/log.ts';
import { type Caller, readCaller } from './caller.ts';
import { withDeadline } from './deadline.ts';
import type { Lifetime } from './endpoint.ts';
import type { Shared } from './exchange.ts';
import { failureOf } from './failure.ts';
import { requireOwnPage } from './own-page.ts';
import { readCall } from './reading.ts';
import { ReceivedCall } from './received-call.ts';
import { overloaded, tooSlow } from './refusal.ts';
import { hasAlready, respond } from './respond.ts';
import { readSessionCookie, writeSessionCookie } from './site-cookie.ts';
import { SiteFault } from './site-fault.ts';

export type SiteMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One call of the site's own pages. */
export interface SiteCall {
  /** The parts of the path that stand for something. */
  path: Readonly<Record<string, string | undefined>>;
  query: URLSearchParams;
  /** What was sent as JSON; undefined when that was nothing. */
  body: unknown;
  caller: Caller;
  /** What the session's cookie holds. Nothing else of the service reads a cookie. */
  sessionToken: string | undefined;
  userAgent: string;
  now: Temporal.Instant;
}

export interface SiteAnswer extends Lifetime {
  /** 200 unless told. */
  status?: number | undefined;
  json?: unknown;
  /** Instead of JSON; with a name, to be saved under it. */
  file?: { bytes: Buffer; contentType: string; name?: string | undefined } | undefined;
  etag?: string | undefined;
  /** What the cookie holds from now on; null for nothing. */
  session?: string | null | undefined;
}

/** What a page of the site asks for, by a method and a path with `:name` for a part that stands for something. */
export interface SiteEndpoint {
  method: SiteMethod;
  path: string;
  answer: (call: SiteCall) => Promise<SiteAnswer> | SiteAnswer;
}

const MOST_BODY_BYTES = 64 * 1024;
/** Apart from the radios' calls, so that bodies which drip in take no place of theirs. */
const MOST_AT_ONCE = 200;
/** A person waits longer than a radio; hashes queue. */
const ANSWER_MS = 8000;
const PREFIX = '/listen/api/';

export function addSiteEndpoints(
  app: FastifyInstance,
  endpoints: readonly SiteEndpoint[],
  shared: Shared,
): void {
  if (endpoints.length === 0) return;
  const busy = { atOnce: 0 };
  // In a room of its own: elsewhere a body is a form.
  void app.register(async (room) => {
    room.removeAllContentTypeParsers();
    const options = { parseAs: 'buffer', bodyLimit: MOST_BODY_BYTES } as const;
    room.addContentTypeParser('*', options, (_request, body, done) => done(null, body));
    room.setErrorHandler((error, request, reply) => {
      const exchange = new SiteExchange(shared, 'other', request, reply);
      void exchange.fail(error);
    });
    for (const endpoint of endpoints) addRoute(room, endpoint, shared, busy);
    room.all(`${PREFIX}*`, (request, reply) =>
      new SiteExchange(shared, 'other', request, reply).fail(unknownCall()),
    );
  });
}

function addRoute(
  room: FastifyInstance,
  endpoint: SiteEndpoint,
  shared: Shared,
  busy: { atOnce: number },
): void {
  const { method, path: url } = endpoint;
  room.route({
    method,
    url,
    exposeHeadRoute: false,
    // Before the body is read: who may not go on is not listened to.
    onRequest: (request, _reply, done) => {
      try {
        if (busy.atOnce >= MOST_AT_ONCE) throw overloaded();
        const caller = admit(request, url, shared);
        requireOwnPage({ method, headers: request.headers, caller });
        done();
      } catch (error) {
        // oxlint-disable-next-line no-unsafe-type-assertion -- what is thrown here is ours
        done(error as Error);
      }
    },
    handler: async (request, reply) => {
      busy.atOnce += 1;
      try {
        await new SiteExchange(shared, url, request, reply).run(endpoint);
      } finally {
        busy.atOnce -= 1;
      }
    },
  });
}

function admit(request: FastifyRequest, path: string, shared: Shared): Caller {
  const reading = readCall('');
  const caller = readCaller(reading, request.raw, shared.surroundings);
  shared.admit?.(new ReceivedCall(reading, caller, path, request.raw, shared.clock));
  return caller;
}

/** One call and its answer. */
class SiteExchange {
  readonly #shared: Shared;
  readonly #route: string;
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  readonly #caller: Caller;
  readonly #startMs: number;
  #body: unknown;

  constructor(shared: Shared, route: string, request: FastifyRequest, reply: FastifyReply) {
    this.#shared = shared;
    this.#route = route;
    this.#request = request;
    this.#reply = reply;
    this.#caller = readCaller(readCall(''), request.raw, shared.surroundings);
    this.#startMs = shared.clock.elapsedMs();
    reply.hijack();
  }

  async run({ answer }: SiteEndpoint): Promise<void> {
    try {
      this.#body = parseBody(this.#request.body);
      const answering = Promise.resolve(answer(this.#call()));
      this.#send(await withDeadline(answering, ANSWER_MS, tooSlow));
    } catch (error) {
      await this.fail(error);
    }
  }

  async fail(error: unknown): Promise<void> {
    const { document, retryAfterSeconds, holdMs, unexpected } = failureOf(
      asSiteFault(error),
      this.#request.id,
    );
    if (unexpected) this.#logUnexpected(error);
    const field = error instanceof SiteFault ? error.field : undefined;
    const json = { error: { code: document.faultCode ?? 'site.failed', message: document.fault, field } };
    if (holdMs > 0) await sleep(holdMs, undefined, { ref: false });
    this.#send({ status: document.status ?? 500, json }, retryAfterSeconds);
  }

  #call(): SiteCall {
    const { raw, params } = this.#request;
    const mark = raw.url?.indexOf('?') ?? -1;
    return {
      // oxlint-disable-next-line no-unsafe-type-assertion -- the router gives the named parts of the path as texts
      path: params as SiteCall['path'],
      query: new URLSearchParams(mark === -1 ? '' : raw.url?.slice(mark + 1)),
      body: this.#body,
      caller: this.#caller,
      sessionToken: readSessionCookie(raw.headers.cookie, this.#caller.scheme),
      userAgent: raw.headers['user-agent'] ?? '',
      now: this.#shared.clock.now(),
    };
  }

  #send(answer: SiteAnswer, retryAfterSeconds?: number): void {
    const { clock, metrics, readiness } = this.#shared;
    const { file, etag, json = {}, session, maxAgeSeconds } = answer;
    const isKnown = etag !== undefined && hasAlready(this.#request.headers['if-none-match'], etag);
    const status = isKnown ? 304 : (answer.status ?? 200);
    respond(this.#request.raw, this.#reply.raw, {
      status,
      contentType: file?.contentType ?? 'application/json; charset=utf-8',
      body: isKnown ? NOTHING : (file?.bytes ?? Buffer.from(JSON.stringify(json))),
      lifetime: maxAgeSeconds === undefined ? { noStore: true } : answer,
      retryAfterSeconds,
      etag,
      ownHeaders: this.#headers(file?.name, session),
      close: readiness.isDraining || !this.#request.raw.complete,
    });
    const outcome = { route: this.#route, c: this.#request.method.toLowerCase(), status, opmlStatus: status };
    metrics.observe(outcome, (clock.elapsedMs() - this.#startMs) / 1000);
  }

  #headers(name: string | undefined, session: string | null | undefined): string[] {
    const headers = ['Cross-Origin-Resource-Policy', 'same-origin'];
    if (name !== undefined) headers.push('Content-Disposition', `attachment; filename="${name}"`);
    if (session !== undefined)
      headers.push('Set-Cookie', writeSessionCookie(session ?? undefined, this.#caller.scheme));
    return headers;
  }

  #logUnexpected(error: unknown): void {
    const err = errorFields(error, secretsOf(this.#body, this.#request.raw));
    this.#shared.log.error(
      { reqId: this.#request.id, route: this.#route, err },
      'a call failed unexpectedly',
    );
  }
}

const NOTHING = Buffer.alloc(0);

function parseBody(body: unknown): unknown {
  if (!Buffer.isBuffer(body) || body.length === 0) return undefined;
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new SiteFault(400, 'site.notJson', 'The body is not JSON; check its quotes and commas');
  }
}

/** What the framework says about a body it would not read, in our words. */
function asSiteFault(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new SiteFault(
      413,
      'site.tooLarge',
      `The body is larger than ${MOST_BODY_BYTES} bytes; send less at once`,
    );
  return error;
}

const unknownCall = (): SiteFault =>
  new SiteFault(
    404,
    'site.unknownCall',
    'There is no such call; docs/site-api.md lists them with their methods',
  );

/** Every text that was sent, whatever it stood for: what a message quotes of it is nobody's business. */
function secretsOf(body: unknown, { headers }: IncomingMessage): string[] {
  const texts: string[] = [headers.cookie ?? ''];
  JSON.stringify(body ?? null, (_key, value: unknown) => {
    if (typeof value === 'string' && value.length <= 300) texts.push(value);
    return value;
  });
  return texts;
}
