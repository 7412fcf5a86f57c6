import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { wordsForHeader } from '../../../core/i18n/locale.ts';
import { type Capacity, Exchange, type HttpContext } from '../../../net/http/exchange.ts';
import type { Failure } from '../../../net/http/failure.ts';
import { isHomeCaller } from '../../../net/http/caller/home-caller.ts';
import type { Scheme } from '../../../net/http/caller/origin.ts';
import { readPeer } from '../../../net/http/caller/peer.ts';
import { hasAlready, type Reply, respond } from '../../../net/http/respond.ts';
import {
  asSiteFault,
  parseBody,
  type SiteAnswer,
  type SiteCall,
  type SiteCaller,
  type SiteEndpoint,
  SiteFault,
} from './site-endpoint.ts';

/** People wait longer than radios, and password hashes queue. */
const ANSWER_MS = 8000;
const NOTHING = Buffer.alloc(0);

/** The sender of a site call. */
export function readSiteCaller(request: IncomingMessage, { network }: HttpContext): SiteCaller {
  const peer = readPeer(request, network);
  return {
    ...peer,
    words: wordsForHeader(request.headers['accept-language']),
    isAtHome: isHomeCaller(peer, request.headers.host),
  };
}

/** One site call and its answer. */
export class SiteExchange extends Exchange<Reply> {
  readonly #fastify: FastifyRequest;
  readonly #caller: SiteCaller;
  #body: unknown;

  constructor(context: HttpContext, route: string, request: FastifyRequest, reply: FastifyReply) {
    super(context, route, request.raw, reply.raw);
    this.method = request.method.toLowerCase();
    this.#fastify = request;
    this.#caller = readSiteCaller(request.raw, context);
    reply.hijack();
  }

  answer({ answer }: SiteEndpoint, capacity: Capacity): void {
    const work = async (): Promise<Reply> => {
      this.#body = parseBody(this.#fastify.body);
      return this.#reply(await answer(this.#call()));
    };
    this.run(work, ANSWER_MS, capacity);
  }

  override fail(error: unknown): void {
    super.fail(asSiteFault(error));
  }

  #call(): SiteCall {
    const { url = '', headers } = this.request;
    const mark = url.indexOf('?');
    return {
      // oxlint-disable-next-line no-unsafe-type-assertion -- the router gives the named parts of the path as texts
      path: this.#fastify.params as SiteCall['path'],
      query: new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1)),
      body: this.#body,
      caller: this.#caller,
      sessionToken: readSessionCookie(headers.cookie, this.#caller.scheme),
      userAgent: headers['user-agent'] ?? '',
      now: this.context.clock.now(),
    };
  }

  #reply(answer: SiteAnswer, retryAfterSeconds?: number): Reply {
    const { file, etag, json = {}, session, maxAgeSeconds } = answer;
    const isKnown = etag !== undefined && hasAlready(this.request.headers['if-none-match'], etag);
    return {
      status: isKnown ? 304 : (answer.status ?? 200),
      contentType: file?.contentType ?? 'application/json; charset=utf-8',
      body: isKnown ? NOTHING : (file?.bytes ?? Buffer.from(JSON.stringify(json))),
      lifetime: maxAgeSeconds === undefined ? { noStore: true } : answer,
      retryAfterSeconds,
      etag,
      ownHeaders: this.#headers(file?.name, session),
      close: !this.request.complete,
    };
  }

  #headers(name: string | undefined, session: string | null | undefined): string[] {
    const headers = ['Cross-Origin-Resource-Policy', 'same-origin'];
    if (name !== undefined) headers.push('Content-Disposition', `attachment; filename="${name}"`);
    if (session !== undefined)
      headers.push('Set-Cookie', writeSessionCookie(session ?? undefined, this.#caller.scheme));
    return headers;
  }

  protected override replyTo(failure: Failure, error: unknown): Reply {
    const { status, code = 'site.failed', message, retryAfterSeconds } = failure;
    const field = error instanceof SiteFault ? error.field : undefined;
    return this.#reply({ status, json: { error: { code, message, field } } }, retryAfterSeconds);
  }

  protected override write(reply: Reply): void {
    respond(this.request, this.response, reply);
  }

  protected override logFields(): { address: string } {
    return this.#caller;
  }

  /** Every text in the body, whatever it means: an error message may quote any of them. */
  protected override secrets(): readonly string[] {
    const texts: string[] = [this.request.headers.cookie ?? ''];
    JSON.stringify(this.#body ?? null, (_key, value: unknown) => {
      if (typeof value === 'string' && value.length <= 300) texts.push(value);
      return value;
    });
    return texts;
  }
}

/**
 * Over HTTPS the `__Host-` prefix guarantees that this host set the cookie over HTTPS. Browsers reject that name over
 * plain HTTP, so there the prefix is left out.
 */
const NAMES: Readonly<Record<Scheme, string>> = { https: '__Host-longwave', http: 'longwave' };

const TOKEN = /^[\w-]{43}$/;
const MAX_AGE_SECONDS = 30 * 24 * 3600;

/** The session cookie's value; undefined when absent or malformed. */
export function readSessionCookie(header: string | undefined, scheme: Scheme): string | undefined {
  const start = `${NAMES[scheme]}=`;
  const pair = header?.split(';').find((part) => part.trim().startsWith(start));
  const token = pair?.trim().slice(start.length);
  return token !== undefined && TOKEN.test(token) ? token : undefined;
}

/** The Set-Cookie header; without a token it deletes the cookie. */
function writeSessionCookie(token: string | undefined, scheme: Scheme): string {
  const age = token === undefined ? 0 : MAX_AGE_SECONDS;
  const parts = [`${NAMES[scheme]}=${token ?? ''}`, 'Path=/', `Max-Age=${age}`, 'HttpOnly', 'SameSite=Lax'];
  if (scheme === 'https') parts.push('Secure');
  return parts.join('; ');
}
