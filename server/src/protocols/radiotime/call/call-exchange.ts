import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PartnerRow } from '../../../core/accounts/partners/partners.ts';
import type { CallerKind } from '../../../core/accounts/partners/unknown-partners.ts';
import type { SerialMemory } from '../../../core/devices/serial-memory.ts';
import { parseCallback } from '../../../formats/opml/write-json.ts';
import { Exchange, type HttpContext } from '../../../net/http/exchange.ts';
import type { Failure } from '../../../net/http/failure.ts';
import { hasAlready, type Reply, respond } from '../../../net/http/respond.ts';
import { type Caller, type FindPartner, readCaller } from './caller.ts';
import type { Action, Answer, Call, Endpoint } from './endpoint.ts';
import type { HotAnswers } from './hot-answers.ts';
import { keepHot } from './keep-hot.ts';
import type { MenuCache } from './menu-cache.ts';
import type { NoteCall } from './note-call.ts';
import type { Params } from './params.ts';
import { parseQuery, type ParsedQuery } from './parse-query.ts';
import { ReceivedCall } from './received-call.ts';
import { failureDocument, renderAnswer, unknownMethod, type RenderOptions } from './render.ts';

/** Shared by all calls of the protocol, besides the transport. */
export interface CallContext {
  menus: MenuCache;
  hot: HotAnswers;
  /** The device kinds seen by serial. */
  serials: SerialMemory;
  findPartner?: FindPartner | undefined;
  /**
   * Handles calls from an unknown partner: returns the partner it registers, or throws a Fault. Without it such a call
   * continues without a partner.
   */
  admitPartner?: ((id: string, kind: CallerKind) => Promise<PartnerRow>) | undefined;
  /** Called after each answered call. */
  noteCall?: NoteCall | undefined;
  /** What a cache that we trust is told of the caller beside the answer; undefined for everybody else. */
  tellEdge?: ((call: Call, answer: Answer) => string | undefined) | undefined;
}

/** Told to trusted caches only. */
const CALLER_HEADER = 'X-Longwave-Caller';
/** For a proxy in front, which lets a partner wait whose devices call too often. */
const LIMIT_HEADER = 'X-Longwave-Limit';

/** An answer, and the status inside the document. */
interface CallReply extends Reply {
  opmlStatus: number;
}

const NOTHING = Buffer.alloc(0);
const NO_LINKS = { origin: '', suffix: '', isPersonal: true };
const PARTNER = /^[\w!.-]{1,40}$/;

/** One call of a radio and its answer: parses the call, runs the action, renders the result. */
export class CallExchange extends Exchange<CallReply> {
  readonly #calls: CallContext;
  readonly #renderOptions: RenderOptions;
  #params: Params | undefined;
  #caller: Caller | undefined;
  #call: Call | undefined;
  #fault: { status?: number; code: string | undefined; text: string | undefined } | undefined;

  constructor(
    context: HttpContext,
    calls: CallContext,
    route: string,
    request: IncomingMessage,
    response: ServerResponse,
  ) {
    super(context, route, request, response);
    this.#calls = calls;
    this.#renderOptions = { render: 'xml', callback: undefined, links: NO_LINKS };
  }

  answer(endpoint: Endpoint, form: string): void {
    this.run(() => {
      const reading = parseQuery(queryOf(this.request), form);
      const call = this.#receive(reading);
      this.context.rateLimit?.(call.caller.securityIp, call.caller.partner);
      const newcomer = endpoint.isForAnyone === true ? undefined : this.#newcomer(call);
      const answer = newcomer
        ? this.#actFor(newcomer, endpoint, call, reading.c)
        : this.#act(endpoint, call, reading.c);
      if (answer instanceof Promise) return this.#replyLater(answer);
      const reply = this.#reply(answer);
      // Where caches are told who calls, every call is read.
      if ('watch' in answer && answer.watch && form === '' && this.#calls.tellEdge === undefined) {
        const { request, route, method: c } = this;
        keepHot(this.#calls, {
          answer,
          reply,
          reading,
          call,
          endpoint,
          request,
          route,
          c,
          ...this.#renderOptions,
        });
      }
      return reply;
    });
  }

  #receive(reading: ParsedQuery): Call {
    const { network, clock } = this.context;
    const { params, render } = reading;
    this.#params = params;
    this.#renderOptions.render = render;
    if (render === 'json') this.#renderOptions.callback = params.optional('callback', parseCallback);
    const caller = readCaller(reading, this.request, network, this.#calls.findPartner);
    this.#caller = caller;
    this.#renderOptions.links = caller.links;
    const call = new ReceivedCall(reading, caller, this.route, this.request, clock, this.#calls.serials);
    this.#call = call;
    return call;
  }

  /** Registration of an unknown partner; undefined for all others. */
  #newcomer(call: Call): Promise<PartnerRow> | undefined {
    const { partnerId, partner } = call.caller;
    if (partnerId === undefined || partner) return undefined;
    const kind = { profile: call.device.profile.id, userAgent: call.headers['user-agent'] };
    return this.#calls.admitPartner?.(partnerId, kind);
  }

  async #actFor(newcomer: Promise<PartnerRow>, endpoint: Endpoint, call: Call, c: string): Promise<Answer> {
    call.caller.partner = await newcomer;
    return this.#act(endpoint, call, c);
  }

  #act(endpoint: Endpoint, call: Call, c: string): Answer | Promise<Answer> {
    return this.#chooseAction(endpoint, call, c)(call);
  }

  #chooseAction({ actions, fallback }: Endpoint, call: Call, c: string): Action {
    const action = actions.get(c);
    if (action !== undefined) {
      this.method = c;
      return action;
    }
    const other = fallback?.(call);
    if (other === undefined) throw unknownMethod();
    return other;
  }

  async #replyLater(answer: Promise<Answer>): Promise<() => CallReply> {
    const found = await answer;
    return () => this.#reply(found);
  }

  #reply(answer: Answer): CallReply {
    this.#fault = answer.trouble;
    const { contentType, body } = renderAnswer(answer, this.#renderOptions, this.#calls.menus);
    const redirect = 'redirect' in answer ? answer.redirect : undefined;
    // An answer to a call with a password is never cached, whatever the action says.
    const lifetime = this.#params?.has('password') === true ? { noStore: true } : answer;
    const etag = 'bytes' in answer ? answer.etag : undefined;
    if (etag !== undefined && hasAlready(this.request.headers['if-none-match'], etag))
      return { status: 304, contentType, body: NOTHING, lifetime, etag, opmlStatus: 200 };
    if (this.#calls.tellEdge !== undefined) this.#tellEdge(answer);
    const status = redirect === undefined ? 200 : 302;
    const opmlStatus = 'outlines' in answer ? (answer.status ?? 200) : 200;
    return { status, contentType, body, lifetime, location: redirect, etag, opmlStatus };
  }

  #tellEdge(answer: Answer): void {
    const told = this.#call && this.#calls.tellEdge?.(this.#call, answer);
    if (told !== undefined) this.response.setHeader(CALLER_HEADER, told);
  }

  protected override replyTo(failure: Failure): CallReply {
    if (this.#params === undefined) this.#guessRenderOptions();
    const { status: opmlStatus, code, message, isRefused } = failure;
    this.#fault = { code, text: message };
    if (failure.isOfPartner) this.response.setHeader(LIMIT_HEADER, 'partner');
    const document = failureDocument(failure);
    const { contentType, body } = renderAnswer(document, this.#renderOptions, this.#calls.menus);
    // Radios ignore the body of anything but a 200; only refusals before the protocol get another status.
    const status = isRefused ? opmlStatus : 200;
    const retryAfterSeconds = isRefused ? failure.retryAfterSeconds : undefined;
    return { status, contentType, body, lifetime: document, retryAfterSeconds, opmlStatus };
  }

  protected override write(reply: CallReply): void {
    respond(this.request, this.response, reply);
  }

  protected override protocolStatus({ opmlStatus }: CallReply): number {
    return opmlStatus;
  }

  protected override onAnswered(status: number): void {
    if (this.#call)
      this.#calls.noteCall?.(this.#call, { status, atMs: this.context.clock.epochMs(), ...this.#fault });
  }

  protected override secrets(): readonly string[] {
    return this.#params?.listSecrets() ?? [];
  }

  protected override logFields(): { address: string; partner: string | undefined } {
    const partnerId = this.#caller?.partnerId;
    const partner = partnerId === undefined || PARTNER.test(partnerId) ? partnerId : 'malformed';
    return { address: this.#caller?.securityIp ?? '', partner };
  }

  /** Even unreadable parameters usually tell how to render the error. */
  #guessRenderOptions(): void {
    if (/(?:^|[?&])render=json(?:&|$)/i.test(queryOf(this.request))) this.#renderOptions.render = 'json';
  }
}

function queryOf({ url = '' }: IncomingMessage): string {
  const mark = url.indexOf('?');
  return mark === -1 ? '' : url.slice(mark + 1);
}
