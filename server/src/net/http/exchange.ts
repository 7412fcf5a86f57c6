import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Slots, withCallBounds } from '../../lib/deadlines/call-bounds.ts';
import type { Clock } from '../../lib/clock.ts';
import { withDeadline } from '../../lib/deadlines/deadline.ts';
import { errorFields, type Log } from '../../lib/log.ts';
import type { CallTrace, Traces } from '../traces.ts';
import { truncateAddress } from './caller/addresses.ts';
import { type Failure, httpFailureOf, overloaded, tooSlow } from './failure.ts';
import type { Metrics, Outcome } from './metrics.ts';
import type { NetworkConfig } from './caller/peer.ts';
import type { RateLimit } from './caller/rate-limit.ts';
import { endWhileDraining, type Readiness } from './readiness.ts';

/** Limits how many calls of a kind are in flight. */
export interface Capacity extends Slots {
  /** How many of them may wait for the database; all, where none is given. */
  readonly atDatabase?: Slots;
}

/** Shared by all exchanges of a server. */
export interface HttpContext {
  readonly network: NetworkConfig;
  readonly log: Log;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly readiness: Readiness;
  readonly callTimeoutMs: number;
  /** Undefined: no rate limit. */
  readonly rateLimit: RateLimit | undefined;
  /** For calls without a body; those with one have their own capacity, since bodies may arrive slowly. */
  readonly capacity: Capacity;
  readonly nextId: () => string;
  /** Undefined: no traces. */
  readonly traces?: Traces | undefined;
  /** Number of delayed refusals. */
  held: number;
}

/** Some kilobytes each. */
const MAX_HELD = 2000;
const SLOW_MS = 1000;

/**
 * One request and its answer, handled alike for every protocol: capacity, deadline, error reporting, logging, response,
 * metrics. A protocol defines how requests are read and how answers and failures are written.
 */
export abstract class Exchange<Reply extends { status: number }> {
  protected readonly context: HttpContext;
  protected readonly route: string;
  protected readonly request: IncomingMessage;
  protected readonly response: ServerResponse;
  /** Label for the metrics: always from a table of ours, never the caller's text. */
  protected method = 'other';
  readonly #startMs: number;
  readonly #trace: CallTrace | undefined;
  #knownId: string | undefined;

  constructor(context: HttpContext, route: string, request: IncomingMessage, response: ServerResponse) {
    this.context = context;
    this.route = route;
    this.request = request;
    this.response = response;
    this.#startMs = context.clock.elapsedMs();
    this.#trace = context.traces?.begin(request.headers['traceparent']);
  }

  /**
   * Runs the work and sends its reply. Asynchronous work returns a function that makes the reply: replies are written
   * into shared memory, so nothing may run between making and sending one.
   */
  run(
    work: () => Reply | Promise<Reply | (() => Reply)>,
    timeoutMs?: number,
    capacity = this.context.capacity,
  ): void {
    try {
      if (capacity.inUse >= capacity.max) {
        this.context.metrics.countShed('in_flight');
        throw overloaded();
      }
      const mostMs = timeoutMs ?? this.context.callTimeoutMs;
      const reply = withCallBounds(mostMs, capacity.atDatabase, this.#traced(work));
      if (reply instanceof Promise) void this.#wait(reply, mostMs, capacity);
      else this.#finish(reply);
    } catch (error) {
      this.fail(error);
    }
  }

  #traced<T>(work: () => T): () => T {
    const { traces } = this.context;
    const trace = this.#trace;
    return traces && trace ? () => traces.run(trace, work) : work;
  }

  /** Reports an error to the caller in the protocol's own form. */
  fail(error: unknown): void {
    const failure = httpFailureOf(error, this.id);
    if (failure.isUnexpected) this.#logUnexpected(error);
    this.#hold(failure.holdMs, () => this.#finish(this.replyTo(failure, error)));
  }

  /** Created on first use: most calls are never logged. */
  protected get id(): string {
    return (this.#knownId ??= this.context.nextId());
  }

  protected abstract replyTo(failure: Failure, error: unknown): Reply;

  protected abstract write(reply: Reply): void;

  /** The protocol's own status, where it differs from the HTTP status. */
  protected protocolStatus({ status }: Reply): number {
    return status;
  }

  /** Values that must never appear in the log. */
  protected secrets(): readonly string[] {
    return [];
  }

  /** Who called, for the log. */
  protected logFields(): { address: string; partner?: string | undefined } {
    return { address: '' };
  }

  protected onAnswered(_protocolStatus: number): void {}

  async #wait(reply: Promise<Reply | (() => Reply)>, timeoutMs: number, capacity: Capacity): Promise<void> {
    capacity.inUse += 1;
    try {
      const made = await withDeadline(reply, timeoutMs, tooSlow);
      this.#finish(typeof made === 'function' ? made() : made);
    } catch (error) {
      this.fail(error);
    } finally {
      capacity.inUse -= 1;
    }
  }

  /** A delayed answer does not count as a call in flight. */
  #hold(holdMs: number, answer: () => void): void {
    const { context } = this;
    if (holdMs === 0 || context.held >= MAX_HELD) return answer();
    context.held += 1;
    setTimeout(() => {
      context.held -= 1;
      answer();
    }, holdMs).unref();
  }

  #finish(reply: Reply): void {
    const { clock, metrics, log, readiness } = this.context;
    endWhileDraining(readiness, this.response);
    this.write(reply);
    const elapsedMs = clock.elapsedMs() - this.#startMs;
    const opmlStatus = this.protocolStatus(reply);
    const outcome = { route: this.route, c: this.method, status: reply.status, opmlStatus };
    metrics.observe(outcome, elapsedMs / 1000);
    if (this.#trace) {
      const method = this.request.method ?? 'GET';
      this.context.traces?.end(this.#trace, { ...outcome, method, elapsedMs });
    }
    this.onAnswered(opmlStatus);
    // Only what an operator should look into: logging every call would cost half as much as handling it.
    const level = opmlStatus >= 500 || elapsedMs >= SLOW_MS ? 'info' : 'debug';
    if (log.isLevelEnabled(level)) log[level](this.#requestFields(outcome, elapsedMs), 'call');
  }

  /** The logged fields of a call: enough to operate the service, nothing that identifies a listener. */
  #requestFields({ route, c, status, opmlStatus }: Outcome, elapsedMs: number): object {
    const { address, partner } = this.logFields();
    return {
      reqId: this.id,
      route,
      c,
      partner,
      ip24: truncateAddress(address),
      status,
      opmlStatus,
      ms: Math.round(elapsedMs * 100) / 100,
    };
  }

  #logUnexpected(error: unknown): void {
    const err = errorFields(error, this.secrets());
    this.context.log.error(
      { reqId: this.id, route: this.route, c: this.method, err },
      'a call failed unexpectedly',
    );
  }
}
