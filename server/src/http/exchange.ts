import type { IncomingMessage, ServerResponse } from 'node:http';
import type { SerialMemory } from '../devices/serial-memory.ts';
import type { Clock } from '../lib/clock.ts';
import { type Log, errorFields } from '../lib/log.ts';
import type { PartnerRow } from '../members/partners.ts';
import { parseCallback } from '../opml/write-json.ts';
import { type Caller, type Surroundings, readCaller } from './caller.ts';
import { withDeadline } from './deadline.ts';
import type { Action, Answer, Call, Endpoint } from './endpoint.ts';
import { type Failure, failureOf, unknownMethod } from './failure.ts';
import type { MenuCache } from './menu-cache.ts';
import type { Outcome } from './call-tally.ts';
import type { Metrics } from './metrics.ts';
import type { NoteCall } from './note-call.ts';
import type { Params } from './params.ts';
import type { Readiness } from './readiness.ts';
import { type Reading, readCall } from './reading.ts';
import { ReceivedCall } from './received-call.ts';
import { tooSlow } from './refusal.ts';
import { type Wish, renderAnswer } from './render.ts';
import { requestFields } from './request-fields.ts';
import { type Reply, hasAlready, respond } from './respond.ts';

/** What all exchanges of a server share. */
export interface Shared {
  surroundings: Surroundings;
  log: Log;
  clock: Clock;
  metrics: Metrics;
  menus: MenuCache;
  /** What devices said they are. */
  serials: SerialMemory;
  readiness: Readiness;
  callTimeoutMs: number;
  /** Looks at a call before its action; throws a Refusal or a Fault for one that may not go on. */
  admit: ((call: Call) => void) | undefined;
  /** Is told of every call that names a device, when it is answered. */
  noteCall?: NoteCall | undefined;
  /** Calls whose answer is being waited for. */
  inFlight: number;
  maxInFlight: number;
  /** Refusals that are held back. */
  held: number;
}

/** Some kilobytes each. */
const MOST_HELD = 2000;

const NOTHING = Buffer.alloc(0);
const NO_LINKS = { origin: '', suffix: '', isPersonal: true };

/** One request and its answer: reads the call, runs the action, writes what comes of it. */
export class Exchange {
  readonly #shared: Shared;
  readonly #route: string;
  readonly #nextId: () => string;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #startMs: number;
  readonly #wish: Wish;
  #c = 'other';
  #params: Params | undefined;
  #caller: Caller | undefined;
  #call: Call | undefined;
  #knownId: string | undefined;
  #fault: { code: string | undefined; text: string | undefined } | undefined;

  constructor(
    shared: Shared,
    route: string,
    nextId: () => string,
    request: IncomingMessage,
    response: ServerResponse,
  ) {
    this.#shared = shared;
    this.#route = route;
    this.#nextId = nextId;
    this.#request = request;
    this.#response = response;
    this.#startMs = shared.clock.elapsedMs();
    this.#wish = { render: 'xml', callback: undefined, links: NO_LINKS };
  }

  run(endpoint: Endpoint, form: string): void {
    try {
      const reading = readCall(queryOf(this.#request), form);
      const call = this.#receive(reading);
      this.#shared.admit?.(call);
      const newcomer = endpoint.isForAnyone === true ? undefined : this.#newcomer(call);
      const answer = newcomer
        ? this.#actFor(newcomer, endpoint, call, reading.c)
        : this.#act(endpoint, call, reading.c);
      if (answer instanceof Promise) void this.#wait(answer);
      else this.#send(answer);
    } catch (error) {
      this.fail(error);
    }
  }

  /** Made when it is first asked for: of most calls nothing is written anywhere. */
  get #id(): string {
    return (this.#knownId ??= this.#nextId());
  }

  /** Answers with a fault in whatever form the caller reads. */
  fail(error: unknown): void {
    if (this.#params === undefined) this.#guessWish();
    const failure = failureOf(error, this.#id);
    if (failure.unexpected) this.#logUnexpected(error);
    this.#fault = { code: failure.document.faultCode, text: failure.document.fault };
    this.#hold(failure.holdMs, () =>
      this.#finish(this.#failureReply(failure), failure.document.status ?? 500),
    );
  }

  /** Nothing waits for an answer that is held back; it is not counted among the calls in flight. */
  #hold(holdMs: number, answer: () => void): void {
    const shared = this.#shared;
    if (holdMs === 0 || shared.held >= MOST_HELD) return answer();
    shared.held += 1;
    setTimeout(() => {
      shared.held -= 1;
      answer();
    }, holdMs).unref();
  }

  #receive(reading: Reading): Call {
    const { clock, surroundings, serials } = this.#shared;
    const { params, render } = reading;
    this.#params = params;
    this.#wish.render = render;
    if (render === 'json') this.#wish.callback = params.optional('callback', parseCallback);
    const caller = readCaller(reading, this.#request, surroundings);
    this.#caller = caller;
    this.#wish.links = caller.links;
    const call = new ReceivedCall(reading, caller, this.#route, this.#request, clock, serials);
    if (caller.serial !== undefined) this.#call = call;
    return call;
  }

  /** A partner that is not registered, until it is known what becomes of it; undefined for all others. */
  #newcomer({ caller: { partnerId, partner } }: Call): Promise<PartnerRow> | undefined {
    if (partnerId === undefined || partner) return undefined;
    return this.#shared.surroundings.admitPartner?.(partnerId);
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
      this.#c = c;
      return action;
    }
    const other = fallback?.(call);
    if (other === undefined) throw unknownMethod();
    return other;
  }

  async #wait(promise: Promise<Answer>): Promise<void> {
    this.#shared.inFlight += 1;
    try {
      this.#send(await withDeadline(promise, this.#shared.callTimeoutMs, tooSlow));
    } catch (error) {
      this.fail(error);
    } finally {
      this.#shared.inFlight -= 1;
    }
  }

  #send(answer: Answer): void {
    const { contentType, body } = renderAnswer(answer, this.#wish, this.#shared.menus);
    const redirect = 'redirect' in answer ? answer.redirect : undefined;
    // An answer to a call with a password is for that moment only, whatever the action says.
    const lifetime = this.#params?.has('password') === true ? { noStore: true } : answer;
    const etag = 'bytes' in answer ? answer.etag : undefined;
    if (etag !== undefined && hasAlready(this.#request.headers['if-none-match'], etag))
      return this.#finish({ status: 304, contentType, body: NOTHING, lifetime, etag }, 200);
    const status = redirect === undefined ? 200 : 302;
    const opmlStatus = 'outlines' in answer ? (answer.status ?? 200) : 200;
    this.#finish({ status, contentType, body, lifetime, location: redirect, etag }, opmlStatus);
  }

  #failureReply({ httpStatus, document, retryAfterSeconds }: Failure): Reply {
    const { contentType, body } = renderAnswer(document, this.#wish, this.#shared.menus);
    return { status: httpStatus, contentType, body, lifetime: document, retryAfterSeconds };
  }

  #finish(reply: Reply, opmlStatus: number): void {
    const { clock, log, metrics, readiness } = this.#shared;
    if (readiness.isDraining) reply.close = true;
    respond(this.#request, this.#response, reply);
    const elapsedMs = clock.elapsedMs() - this.#startMs;
    const outcome = { route: this.#route, c: this.#c, status: reply.status, opmlStatus };
    metrics.observe(outcome, elapsedMs / 1000);
    if (this.#call)
      this.#shared.noteCall?.(this.#call, { status: opmlStatus, atMs: clock.epochMs(), ...this.#fault });
    const level = logLevelOf(outcome, elapsedMs);
    if (log.isLevelEnabled(level))
      log[level](requestFields(this.#id, outcome, elapsedMs, this.#caller), 'call');
  }

  /** Parameters that cannot be read still say, most of the time, how the refusal should look. */
  #guessWish(): void {
    if (/(?:^|[?&])render=json(?:&|$)/i.test(queryOf(this.#request))) this.#wish.render = 'json';
  }

  #logUnexpected(error: unknown): void {
    const err = errorFields(error, this.#params?.listSecrets());
    const where = { reqId: this.#id, route: this.#route, c: this.#c };
    this.#shared.log.error({ ...where, err }, 'a call failed unexpectedly');
  }
}

const SLOW_MS = 1000;

/** Only what an operator should look into: a line for every call costs as much as reading and answering half of one. */
const logLevelOf = ({ opmlStatus }: Outcome, elapsedMs: number): 'info' | 'debug' =>
  opmlStatus >= 500 || elapsedMs >= SLOW_MS ? 'info' : 'debug';

function queryOf({ url = '' }: IncomingMessage): string {
  const mark = url.indexOf('?');
  return mark === -1 ? '' : url.slice(mark + 1);
}
