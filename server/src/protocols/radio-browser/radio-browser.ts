import type { FastifyRequest } from 'fastify';
import { Fault } from '../../lib/fault.ts';
import { ArrivingBodies } from '../../net/http/endpoints/arriving-bodies.ts';
import { type Capacity, Exchange, type HttpContext } from '../../net/http/exchange.ts';
import { type Failure, overloaded } from '../../net/http/failure.ts';
import { type Peer, readPeer } from '../../net/http/caller/peer.ts';
import { type Reply, respond } from '../../net/http/respond.ts';
import { type LongReply, respondInTurns } from '../../net/http/endpoints/respond-in-turns.ts';
import { hasBody, type Protocol } from '../../net/http/server.ts';
import { Commands, type RadioBrowserDeps } from './commands.ts';
import { Counts } from './counts.ts';
import { readApiRequest } from './read-request.ts';
import { Views } from './view.ts';
import { type ListAnswer, ANSWER_FORMATS, isFormat, singleAnswer, writeAnswer } from './write-answer.ts';

const MAX_CONCURRENT = 64;
/** From here on an answer is written in turns, and takes as long as its reader does. */
const LONG_ROWS = 100;
const MAX_LONG_CONCURRENT = 32;
const ANSWER_MS = 10_000;
/** Two thousand favourites by their UUIDs. */
const MAX_BODY_BYTES = 128 * 1024;

interface Shared {
  context: HttpContext;
  commands: Commands;
  capacity: Capacity;
  arriving: ArrivingBodies;
  longAnswers: Capacity;
}

/** The API of radio-browser.info, which most open radio apps call. */
export const radioBrowser =
  (deps: RadioBrowserDeps): Protocol =>
  ({ app, context }) => {
    const views = new Views(deps.directory, deps.db, context.log);
    const counts = new Counts(deps.db, context.clock);
    const shared: Shared = {
      context,
      commands: new Commands({ ...deps, views, counts }),
      capacity: { inUse: 0, max: MAX_CONCURRENT },
      arriving: new ArrivingBodies(MAX_CONCURRENT),
      longAnswers: { inUse: 0, max: MAX_LONG_CONCURRENT },
    };
    // Whoever asks first should find it made, and the database may be away then.
    views.current().catch(() => undefined);
    // In a scope of its own: elsewhere a body is a form, and here it may be missing, a form or JSON.
    void app.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      const options = { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES } as const;
      scope.addContentTypeParser('*', options, (_request, body, done) => done(null, body));
      scope.setErrorHandler((error, { raw }, reply) =>
        new ApiExchange(shared, raw, reply.raw).fail(explained(error)),
      );
      for (const url of ANSWER_FORMATS.flatMap((format) => [`/${format}/*`, `/v2/${format}/*`]))
        scope.route({
          method: ['GET', 'POST', 'HEAD', 'OPTIONS'],
          url,
          // Before the body is read: who is refused need not send it.
          onRequest: ({ raw }, reply, done) => {
            if (new ApiExchange(shared, raw, reply.raw).admit()) done();
          },
          handler: ({ raw, body }, reply) => new ApiExchange(shared, raw, reply.raw).answer(body),
        });
    });
  };

function explained(error: unknown): unknown {
  const isTooLarge = error instanceof Error && 'code' in error && error.code === 'FST_ERR_CTP_BODY_TOO_LARGE';
  return isTooLarge
    ? new Fault(413, undefined, `The body is larger than ${MAX_BODY_BYTES} bytes; ask in several requests`)
    : error;
}

type ApiReply = Reply | LongReply;

class ApiExchange extends Exchange<ApiReply> {
  readonly #shared: Shared;
  readonly #peer: Peer;
  readonly #format: string;

  constructor(shared: Shared, request: FastifyRequest['raw'], response: Exchange<ApiReply>['response']) {
    const named = /^\/+(?:v2\/+)?(\w+)/i.exec(request.url ?? '')?.[1]?.toLowerCase() ?? '';
    const format = isFormat(named) ? named : 'json';
    super(shared.context, `/${format}`, request, response);
    this.#shared = shared;
    this.#format = format;
    this.#peer = readPeer(request, shared.context.network);
  }

  /** Whether there is room for it; answers it otherwise. */
  admit(): boolean {
    try {
      const { capacity, arriving } = this.#shared;
      const { address } = this.#peer;
      this.#requireRoom(capacity);
      this.context.rateLimit?.(address);
      if (hasBody(this.request) && !arriving.admit(address, this.request, this.response)) this.#shed();
      return true;
    } catch (error) {
      this.fail(error);
      return false;
    }
  }

  #requireRoom({ inUse, max }: Capacity): void {
    if (inUse >= max) this.#shed();
  }

  #shed(): never {
    this.context.metrics.countShed('in_flight');
    throw overloaded();
  }

  answer(body: unknown): void {
    const { commands, capacity } = this.#shared;
    this.run(
      async () => {
        if (this.request.method === 'OPTIONS') return this.#reply('', 'text/plain', 204);
        const request = readApiRequest(this.request, body, this.#peer);
        this.method = commands.nameOf(request) ?? 'other';
        return this.#written(await commands.answer(request));
      },
      ANSWER_MS,
      capacity,
    );
  }

  #written(answer: ListAnswer): ApiReply {
    const written = writeAnswer(this.#format, answer);
    if (!written)
      throw new Fault(406, undefined, `This cannot be written as ${this.#format}; ask for json, xml or csv`);
    const { fileName, contentType, pieces } = written;
    const more = fileName === undefined ? [] : ['Content-Disposition', `inline; filename="${fileName}"`];
    if (answer.count < LONG_ROWS) return this.#reply([...pieces].join(''), contentType, 200, more);
    const { longAnswers } = this.#shared;
    this.#requireRoom(longAnswers);
    return { status: 200, contentType, lifetime: LIFETIME, ownHeaders: [...HEADERS, ...more], pieces };
  }

  #reply(text: string, contentType: string, status: number, more: readonly string[] = []): Reply {
    const ownHeaders = [...HEADERS, ...more];
    return { status, contentType, body: Buffer.from(text), lifetime: LIFETIME, ownHeaders };
  }

  /** In the form of the API's own refusals; a playlist has none, and gets a line of text. */
  protected override replyTo({ status, message, retryAfterSeconds }: Failure): Reply {
    const isStructured = this.#format === 'json' || this.#format === 'xml';
    const written = isStructured && writeAnswer(this.#format, singleAnswer('status', { ok: false, message }));
    const reply = written
      ? this.#reply([...written.pieces].join(''), written.contentType, status)
      : this.#reply(`${message}\n`, 'text/plain; charset=utf-8', status);
    // What is left of a body that nobody wanted is not waited for.
    return { ...reply, retryAfterSeconds, close: !this.request.complete };
  }

  protected override write(reply: ApiReply): void {
    if ('pieces' in reply) void this.#writeLong(reply);
    else respond(this.request, this.response, reply);
  }

  async #writeLong(reply: LongReply): Promise<void> {
    const { longAnswers } = this.#shared;
    longAnswers.inUse += 1;
    try {
      await respondInTurns(this.request, this.response, reply);
    } catch (err) {
      this.response.destroy();
      this.context.log.error(
        { err, route: this.route, c: this.method },
        'a list could not be written to its end',
      );
    } finally {
      longAnswers.inUse -= 1;
    }
  }

  protected override logFields(): { address: string } {
    return this.#peer;
  }
}

const LIFETIME = { maxAgeSeconds: 0 };
/** Pages of any site may ask. */
const HEADERS = [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Allow-Methods',
  'GET, POST, HEAD, OPTIONS',
  'Access-Control-Allow-Headers',
  '*',
];
