import { randomUUID } from 'node:crypto';
import { release, type } from 'node:os';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { profileOfUserAgent, SAFE_PROFILE } from '../../core/devices/profiles.ts';
import { wordsForHeader } from '../../core/i18n/locale.ts';
import { type Words, wordsFor } from '../../core/i18n/words.ts';
import { Finder } from '../../core/search/finder.ts';
import { playerOf } from '../../core/streams/player.ts';
import type { StationStreams } from '../../core/streams/station-streams.ts';
import { Fault } from '../../lib/fault.ts';
import { memoize } from '../../lib/memoize.ts';
import { ALL_FORMATS } from '../../lib/stream-format.ts';
import { VERSION } from '../../lib/version.ts';
import { type Capacity, Exchange, type HttpContext } from '../../net/http/exchange.ts';
import type { Failure } from '../../net/http/failure.ts';
import { HTTP_LIMITS } from '../../net/http/limits.ts';
import { type Peer, readPeer } from '../../net/http/caller/peer.ts';
import { type Reply, respond, textReply } from '../../net/http/respond.ts';
import type { Protocol } from '../../net/http/server.ts';
import type { Queryable } from '../../storage/db/pool.ts';
import { type ContentCall, ContentDirectory, type ContentSources } from './content-directory.ts';
import {
  CONTENT_DIRECTORY,
  DESCRIPTION_PATH,
  type MediaServer,
  UPNP_SERVICES,
  type UpnpService,
  writeDeviceDescription,
  writeServiceDescription,
} from './descriptions.ts';
import { SOURCE_PROTOCOLS } from './didl.ts';
import {
  MAX_SOAP_BYTES,
  parseSoapCall,
  SoapFault,
  type SoapResult,
  writeSoapFault,
  writeSoapResult,
} from './soap.ts';

export interface UpnpDeps extends Omit<ContentSources, 'finder' | 'name'> {
  db: Queryable;
  server: MediaServer;
  streams: StationStreams;
  /** Of titles, for callers that name none. */
  language: string;
}

/** Most answers come from memory; searches wait for the database. */
const MAX_CONCURRENCY = 50;
const ANSWER_MS = HTTP_LIMITS.requestTimeoutMs + HTTP_LIMITS.callTimeoutMs;

/** The name of the program as the standard wants it. */
export const UPNP_SERVER_NAME = `${type()}/${release().replaceAll(/[^\w.-]/g, '')} UPnP/1.0 Longwave/${VERSION}`;

/** A UPnP MediaServer: descriptions, the two services, and subscriptions that never call back. */
export function upnp(deps: UpnpDeps): Protocol {
  const finder = new Finder(deps.db);
  const content = new ContentDirectory({ ...deps, finder, name: deps.server.name });
  const files = new Map([
    [DESCRIPTION_PATH, writeDeviceDescription(deps.server)],
    ...UPNP_SERVICES.map((service) => [`/${service.name}.xml`, writeServiceDescription(service)] as const),
  ]);
  return ({ app, context }) => {
    const capacity: Capacity = { inUse: 0, max: MAX_CONCURRENCY };
    for (const method of ['SUBSCRIBE', 'UNSUBSCRIBE']) app.addHttpMethod(method, { hasBody: true });
    // Encapsulated: elsewhere a body is parsed as a form before the handler runs.
    void app.register(async (room) => {
      room.removeAllContentTypeParsers();
      room.addContentTypeParser('*', (_request, _body, done) => done(null));
      const route = (method: string[], url: string, answer: (exchange: UpnpExchange) => void): void => {
        const handler = (request: FastifyRequest, reply: FastifyReply): void =>
          answer(new UpnpExchange(context, url, request, reply));
        room.route({ method, url, handler });
      };
      for (const [path, text] of files)
        route(['GET', 'HEAD'], path, (exchange) => exchange.sendFile(text, capacity));
      for (const service of UPNP_SERVICES) {
        const call = service === CONTENT_DIRECTORY ? callContent(content, deps) : callConnections;
        route(['POST'], `/${service.name}/control`, (exchange) => exchange.control(service, call, capacity));
        route(['SUBSCRIBE', 'UNSUBSCRIBE'], `/${service.name}/event`, (exchange) =>
          exchange.subscribe(capacity),
        );
      }
    });
  };
}

/** Undefined for an action that the service does not have. */
type CallAction = (
  action: string,
  args: ContentCall['args'],
  caller: { peer: Peer; headers: FastifyRequest['headers']; nowMs: number },
) => SoapResult | Promise<SoapResult> | undefined;

const MAX_USER_AGENT_LENGTH = 400;
const byUserAgent = memoize((agent) => {
  const profile = profileOfUserAgent(agent) ?? SAFE_PROFILE;
  return { profile, player: playerOf(profile, { formats: ALL_FORMATS, isSecure: false, directOnly: false }) };
});

const callContent =
  (content: ContentDirectory, { streams, language }: UpnpDeps): CallAction =>
  (action, args, { peer, headers, nowMs }) => {
    const agent = (headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT_LENGTH);
    const { profile, player } = byUserAgent(agent);
    const { address, origin } = peer;
    const id = `${address} ${agent}`;
    const relayCaller = { address, partner: undefined, id, origin, isSecure: false, nowMs };
    // Addresses at the relay are made for one caller.
    const readerKey = player.redirects === 0 ? undefined : `${profile.id} ${origin}`;
    const words = wordsOf(headers['accept-language'], language);
    return content.call(action, { args, words, reader: { player, origin, streams, relayCaller }, readerKey });
  };

const ownWords = memoize(wordsFor);
const wordsOf = (acceptLanguage: string | undefined, language: string): Words =>
  acceptLanguage === undefined ? ownWords(language) : wordsForHeader(acceptLanguage);

/** There is always one connection, of which nothing is known. */
const callConnections: CallAction = (action, args) => {
  switch (action) {
    case 'GetProtocolInfo':
      return [
        ['Source', SOURCE_PROTOCOLS],
        ['Sink', ''],
      ];
    case 'GetCurrentConnectionIDs':
      return [['ConnectionIDs', '0']];
    case 'GetCurrentConnectionInfo':
      if (args.get('ConnectionID')?.trim() !== '0')
        throw new SoapFault('invalidArgs', 'The only connection is 0');
      return [
        ['RcsID', -1],
        ['AVTransportID', -1],
        ['ProtocolInfo', ''],
        ['PeerConnectionManager', ''],
        ['PeerConnectionID', -1],
        ['Direction', 'Output'],
        ['Status', 'OK'],
      ];
    default:
      return undefined;
  }
};

interface UpnpReply extends Reply {
  /** What it counts as, where the standard wants HTTP 500 for a mistake of the caller. */
  countsAs?: number;
}

const XML = 'text/xml; charset="utf-8"';
const HEADERS = ['EXT', '', 'Server', UPNP_SERVER_NAME];
const SUBSCRIBED_SECONDS = 1800;

/** Results that are kept are written once: escaping a list of 50 took over half of the CPU of a hot call. */
const written = new WeakMap<SoapResult, Buffer>();

class UpnpExchange extends Exchange<UpnpReply> {
  readonly #peer: Peer;

  constructor(context: HttpContext, path: string, { raw }: FastifyRequest, reply: FastifyReply) {
    super(context, path, raw, reply.raw);
    reply.hijack();
    this.#peer = readPeer(raw, context.network);
  }

  sendFile(text: string, capacity: Capacity): void {
    this.#limited(() => this.#xml(200, text), capacity);
  }

  control(service: UpnpService, call: CallAction, capacity: Capacity): void {
    this.#limited(async () => {
      const { action, args } = parseSoapCall(await this.#body());
      const nowMs = this.context.clock.now().epochMilliseconds;
      const result = await call(action, args, { peer: this.#peer, headers: this.request.headers, nowMs });
      if (!result) throw new SoapFault('invalidAction', `${service.type} has no such action`);
      this.method = service.actions.some(([name]) => name === action) ? action : 'other';
      const write = (): Buffer => Buffer.from(writeSoapResult(service.type, action, result));
      return () => this.#xml(200, written.getOrInsertComputed(result, write));
    }, capacity);
  }

  /**
   * Whoever subscribes is told that they have, and never called: an address to call, given by a caller, could be anybody's
   * (CVE-2020-12695). Nothing is kept, and what is said to be evented is nothing.
   */
  subscribe(capacity: Capacity): void {
    this.#limited(() => {
      const { sid, callback, nt } = this.request.headers;
      if (this.request.method === 'UNSUBSCRIBE') return this.#plain(typeof sid === 'string' ? 200 : 412);
      if (typeof sid === 'string') {
        if (!/^uuid:[\da-f-]{36}$/.test(sid) || callback !== undefined) return this.#plain(412);
        return this.#plain(200, ['SID', sid, 'TIMEOUT', `Second-${SUBSCRIBED_SECONDS}`]);
      }
      if (nt !== 'upnp:event' || callback === undefined) return this.#plain(412);
      return this.#plain(200, ['SID', `uuid:${randomUUID()}`, 'TIMEOUT', `Second-${SUBSCRIBED_SECONDS}`]);
    }, capacity);
  }

  #limited(work: () => UpnpReply | Promise<() => UpnpReply>, capacity: Capacity): void {
    this.run(
      () => {
        this.context.rateLimit?.(this.#peer.address);
        return work();
      },
      ANSWER_MS,
      capacity,
    );
  }

  async #body(): Promise<string> {
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of this.request.iterator({ destroyOnReturn: false })) {
      const bytes: Buffer = chunk;
      length += bytes.length;
      if (length > MAX_SOAP_BYTES)
        throw new Fault(413, undefined, `A call has at most ${MAX_SOAP_BYTES} bytes`);
      chunks.push(bytes);
    }
    return Buffer.concat(chunks).toString('utf8');
  }

  #xml(status: number, text: string | Buffer): UpnpReply {
    return {
      status,
      contentType: XML,
      body: typeof text === 'string' ? Buffer.from(text) : text,
      lifetime: { noStore: true },
      ownHeaders: HEADERS,
      close: !this.request.complete,
    };
  }

  #plain(status: number, headers: readonly string[] = []): UpnpReply {
    return textReply(status, '', { ownHeaders: [...HEADERS, ...headers], close: !this.request.complete });
  }

  protected override replyTo(failure: Failure, error: unknown): UpnpReply {
    const { status, message, retryAfterSeconds } = failure;
    if (error instanceof SoapFault)
      return { ...this.#xml(500, writeSoapFault(error.upnpCode, message)), countsAs: 400 };
    return textReply(status, `${message}\n`, {
      retryAfterSeconds,
      ownHeaders: HEADERS,
      close: !this.request.complete,
    });
  }

  protected override protocolStatus({ status, countsAs }: UpnpReply): number {
    return countsAs ?? status;
  }

  protected override write(reply: UpnpReply): void {
    respond(this.request, this.response, reply);
  }

  protected override logFields(): { address: string } {
    return this.#peer;
  }
}
