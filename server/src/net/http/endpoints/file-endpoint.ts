import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { type Capacity, Exchange, type HttpContext } from '../exchange.ts';
import type { Failure } from '../failure.ts';
import { type Peer, readPeer } from '../caller/peer.ts';
import { hasAlready, type Reply, respond, textReply } from '../respond.ts';
import type { Protocol } from '../server.ts';

/** A player's request for a file: GET or HEAD, without parameters that matter to anybody but its protocol. */
export interface FileCall {
  /** What stands where the path of the endpoint has its `*`, decoded; `/` where the root of its own host was asked for. */
  file: string;
  query: URLSearchParams;
  /** The query as it came, for protocols whose callers encode it in their own way. */
  rawQuery: string;
  headers: IncomingHttpHeaders;
  peer: Peer;
  now: Temporal.Instant;
}

export interface FileAnswer extends Reply {
  /** Undefined where nobody knows. */
  lastModified?: Temporal.Instant | undefined;
}

export interface FileEndpoint {
  /** Ends in `*`. Also the name in metrics and the log, which have nothing of what follows. */
  path: string;
  /** Of its own, so that files that wait for the database do not block radios. */
  maxConcurrency: number;
  /** Its devices ask for `/` of a host with a name like this; for all others that is another protocol's. */
  rootOfHost?: RegExp;
  answer: (call: FileCall) => FileAnswer | Promise<FileAnswer>;
}

export const fileEndpoint =
  (endpoint: FileEndpoint): Protocol =>
  ({ app, context, direct }) => {
    const capacity: Capacity = { inUse: 0, max: endpoint.maxConcurrency };
    const answer = (request: IncomingMessage, response: ServerResponse, file: string): void =>
      new FileExchange(context, { path: endpoint.path, file }, request, response).answer(endpoint, capacity);
    app.route({
      method: ['GET', 'HEAD'],
      url: endpoint.path,
      handler: ({ raw, params }, reply) => {
        reply.hijack();
        // oxlint-disable-next-line no-unsafe-type-assertion -- the router gives the rest of the path as a text
        answer(raw, reply.raw, (params as { '*'?: string })['*'] ?? '');
      },
    });
    const { rootOfHost } = endpoint;
    const others = direct.get('/');
    if (rootOfHost && others)
      direct.set('/', (request, response) =>
        rootOfHost.test(request.headers.host ?? '')
          ? answer(request, response, '/')
          : others(request, response),
      );
  };

class FileExchange extends Exchange<Reply> {
  readonly #file: string;
  readonly #peer: Peer;

  constructor(
    context: HttpContext,
    { path, file }: { path: string; file: string },
    request: IncomingMessage,
    response: ServerResponse,
  ) {
    super(context, path, request, response);
    this.#file = file;
    this.#peer = readPeer(request, context.network);
  }

  answer(endpoint: FileEndpoint, capacity: Capacity): void {
    this.run(
      () => {
        this.context.rateLimit?.(this.#peer.address);
        const made = endpoint.answer(this.#call());
        return made instanceof Promise ? made.then((answer) => this.#reply(answer)) : this.#reply(made);
      },
      undefined,
      capacity,
    );
  }

  #call(): FileCall {
    const { url = '', headers } = this.request;
    const mark = url.indexOf('?');
    const rawQuery = mark === -1 ? '' : url.slice(mark + 1);
    return {
      file: this.#file,
      query: new URLSearchParams(rawQuery),
      rawQuery,
      headers,
      peer: this.#peer,
      now: this.context.clock.now(),
    };
  }

  /** A caller that has these bytes already gets none. */
  #reply({ lastModified, ...reply }: FileAnswer): Reply {
    const date = lastModified && new Date(lastModified.epochMilliseconds).toUTCString();
    const ownHeaders = [
      ...(reply.ownHeaders ?? ANY_SITE),
      ...(date === undefined ? [] : ['Last-Modified', date]),
    ];
    const { 'if-none-match': etags, 'if-modified-since': since } = this.request.headers;
    const { etag } = reply;
    // The tag alone counts where both are sent. Equal, not "not newer": a restored catalogue has an earlier date.
    const isKnown =
      etags === undefined
        ? date !== undefined && since === date
        : etag !== undefined && hasAlready(etags, etag);
    return reply.status === 200 && isKnown
      ? { ...reply, ownHeaders, status: 304, body: NOTHING }
      : { ...reply, ownHeaders };
  }

  protected override replyTo({ status, message, retryAfterSeconds }: Failure): Reply {
    return textReply(status, `${message}\n`, { retryAfterSeconds });
  }

  protected override write(reply: Reply): void {
    respond(this.request, this.response, reply);
  }

  protected override logFields(): { address: string } {
    return this.#peer;
  }
}

const NOTHING = Buffer.alloc(0);
/** Pages of any site may read it: nothing in it depends on a cookie. */
const ANY_SITE = ['Access-Control-Allow-Origin', '*'];
