import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import type { Log } from '../lib/log.ts';
import { VERSION } from '../lib/version.ts';
import type { Outcome } from './http/metrics.ts';

/*
 * Traces by OTLP over HTTP, as JSON: one span a call, and one for each statement that it runs on the pool. There is no
 * SDK: a span is what the exchange measures anyway, and the format is one document. Nothing of a query string, an
 * address or a body is ever in a span. Spans wait in a queue with an end; what does not fit, or what the collector does
 * not take in time, is dropped and counted.
 */

export interface TracesOptions {
  /** Where a collector takes traces: `http://127.0.0.1:4318/v1/traces`. */
  url: string;
  /** Of calls that bring no decision along; failed and slow ones are always sent. */
  percent: number;
  log: Log;
  flushMs?: number;
  timeoutMs?: number;
  maxQueued?: number;
}

/** A call under way. */
export interface CallTrace {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly isSampled: boolean;
  readonly statements: Span[];
}

/** What is known of a call when it is answered. */
export interface TracedCall extends Outcome {
  method: string;
  elapsedMs: number;
}

type Attribute = { key: string; value: { stringValue: string } | { intValue: string } };

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Attribute[];
  status: { code?: number };
}

/** Numbers of the format: SPAN_KIND_SERVER, SPAN_KIND_CLIENT, STATUS_CODE_ERROR. */
const [SERVER, CLIENT, ERROR] = [2, 3, 2];
const SLOW_MS = 1000;
const MAX_STATEMENTS = 32;
const BATCH = 256;
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

const calls = new AsyncLocalStorage<CallTrace>();

export class Traces implements AsyncDisposable {
  readonly #options: Required<TracesOptions>;
  readonly #timer: NodeJS.Timeout;
  #queue: Span[] = [];
  #sending: Promise<void> | undefined;
  #isFailing = false;
  /** Spans that a collector took, and that none did. */
  readonly counts = { sent: 0, dropped: 0 };

  constructor(options: TracesOptions) {
    this.#options = { flushMs: 5000, timeoutMs: 5000, maxQueued: 2048, ...options };
    this.#timer = setInterval(() => void this.flush(), this.#options.flushMs).unref();
  }

  /** Continues the trace of the caller's `traceparent`, or begins one. */
  begin(traceparent: unknown): CallTrace {
    const [, traceId, parentSpanId, flags] =
      TRACEPARENT.exec(typeof traceparent === 'string' ? traceparent : '') ?? [];
    const isSampled =
      flags === undefined
        ? Math.random() * 100 < this.#options.percent
        : (Number.parseInt(flags, 16) & 1) === 1;
    return { traceId: traceId ?? hex(16), spanId: hex(8), parentSpanId, isSampled, statements: [] };
  }

  run<T>(trace: CallTrace, work: () => T): T {
    return calls.run(trace, work);
  }

  end(trace: CallTrace, { method, route, c, status, opmlStatus, elapsedMs }: TracedCall): void {
    const hasFailed = opmlStatus >= 500;
    if (!trace.isSampled && !hasFailed && elapsedMs < SLOW_MS) return;
    const { traceId, spanId, parentSpanId, statements } = trace;
    const attributes = [
      text('http.request.method', method),
      text('http.route', route),
      integer('http.response.status_code', status),
      text('longwave.c', c),
      integer('longwave.opml_status', opmlStatus),
    ];
    this.#add([
      {
        traceId,
        spanId,
        ...(parentSpanId !== undefined && { parentSpanId }),
        name: `${method} ${route}`,
        kind: SERVER,
        ...timesOf(elapsedMs),
        attributes,
        status: hasFailed ? { code: ERROR } : {},
      },
      ...statements,
    ]);
  }

  #add(spans: readonly Span[]): void {
    const room = this.#options.maxQueued - this.#queue.length;
    this.counts.dropped += Math.max(spans.length - room, 0);
    this.#queue.push(...spans.slice(0, Math.max(room, 0)));
    if (this.#queue.length >= BATCH) void this.flush();
  }

  /** One request at a time; what comes meanwhile waits in the queue. */
  flush(): Promise<void> {
    this.#sending ??= this.#send().finally(() => (this.#sending = undefined));
    return this.#sending;
  }

  async #send(): Promise<void> {
    const spans = this.#queue.splice(0, BATCH);
    if (spans.length === 0) return;
    const { url, timeoutMs, log } = this.#options;
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(writeSpans(spans)),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`the collector answered ${response.status}`);
      this.counts.sent += spans.length;
      this.#isFailing = false;
    } catch (err) {
      this.counts.dropped += spans.length;
      if (!this.#isFailing) log.warn({ err }, 'traces could not be sent and are dropped; check TRACES_URL');
      this.#isFailing = true;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.#sending;
    await this.flush();
  }
}

/** Adds a span for a statement to the call that runs it, if that is traced. */
export async function traceStatement<T>(name: string, work: Promise<T>): Promise<T> {
  const trace = calls.getStore();
  if (trace === undefined || trace.statements.length >= MAX_STATEMENTS) return work;
  const started = performance.now();
  let status: Span['status'] = {};
  try {
    return await work;
  } catch (error) {
    status = { code: ERROR };
    throw error;
  } finally {
    const { traceId, spanId: parentSpanId } = trace;
    const attributes = [text('db.system.name', 'postgresql'), text('db.query.summary', name)];
    const times = timesOf(performance.now() - started);
    trace.statements.push({
      traceId,
      spanId: hex(8),
      parentSpanId,
      name,
      kind: CLIENT,
      ...times,
      attributes,
      status,
    });
  }
}

const hex = (bytes: number): string => randomBytes(bytes).toString('hex');
const text = (key: string, stringValue: string): Attribute => ({ key, value: { stringValue } });
const integer = (key: string, value: number): Attribute => ({ key, value: { intValue: `${value}` } });

/** Of something that has just ended; 64-bit numbers are text in this format. */
function timesOf(elapsedMs: number): { startTimeUnixNano: string; endTimeUnixNano: string } {
  const end = BigInt(Date.now()) * 1_000_000n;
  return {
    startTimeUnixNano: `${end - BigInt(Math.round(elapsedMs * 1_000_000))}`,
    endTimeUnixNano: `${end}`,
  };
}

const writeSpans = (spans: readonly Span[]) => ({
  resourceSpans: [
    {
      resource: { attributes: [text('service.name', 'longwave'), text('service.version', VERSION)] },
      scopeSpans: [{ scope: { name: 'longwave', version: VERSION }, spans }],
    },
  ],
});
