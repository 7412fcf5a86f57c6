import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorFields } from '../lib/log.ts';
import { type Caller, readCaller } from './caller.ts';
import { withDeadline } from './deadline.ts';
import type { Shared } from './exchange.ts';
import { failureOf } from './failure.ts';
import { LIMITS } from './limits.ts';
import { readCall } from './reading.ts';
import { tooSlow } from './refusal.ts';
import { hasAlready, respond } from './respond.ts';
import { asSiteFault, parseBody } from './site-body.ts';
import { readSessionCookie, writeSessionCookie } from './site-cookie.ts';
import type { SiteAnswer, SiteCall, SiteEndpoint } from './site-endpoint.ts';
import { SiteFault } from './site-fault.ts';

/** A person waits longer than a radio; hashes queue. */
const ANSWER_MS = 8000;
const NOTHING = Buffer.alloc(0);

/** One call of the site's own pages and its answer. */
export class SiteExchange {
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
    const status = document.status ?? 500;
    this.#send(
      { status, json },
      retryAfterSeconds ?? (status === 503 ? LIMITS.retryAfterSeconds : undefined),
    );
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

/** Every text that was sent, whatever it stood for: what a message quotes of it is nobody's business. */
function secretsOf(body: unknown, { headers }: IncomingMessage): string[] {
  const texts: string[] = [headers.cookie ?? ''];
  JSON.stringify(body ?? null, (_key, value: unknown) => {
    if (typeof value === 'string' && value.length <= 300) texts.push(value);
    return value;
  });
  return texts;
}
