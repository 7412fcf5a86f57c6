import { SwapRemoveList, type Member, whenAborted } from '../../lib/deadlines/when-aborted.ts';
import { FetchFailed, type FetchStep } from './fetch-failed.ts';

/** Starts an operation; returns a function that cancels it, if cancelling is worthwhile. */
type Begin<T> = (done: (value: T) => void, fail: (error: unknown) => void) => (() => void) | void;

interface Wait {
  step: FetchStep;
  ms: number;
  untilMs: number;
  reject: (error: unknown) => void;
  callOff: (() => void) | void;
}

const TICK_MS = 25;
/** All waits are checked by one timer: a timer per wait took longer than the wait itself. */
const waiting = new SwapRemoveList<Deadline>();
let ticking: NodeJS.Timeout | undefined;

function tick(): void {
  const nowMs = performance.now();
  for (const deadline of waiting.all()) deadline.endIfLate(nowMs);
  if (waiting.size > 0) return;
  clearInterval(ticking);
  ticking = undefined;
}

/**
 * Time limits for consecutive steps: each step has its own, all share a total, and a signal aborts any of them. A probe
 * waits six times; with timers and signals for each wait, waiting was a quarter of its work.
 */
export class Deadline implements Disposable, Member, Waiting {
  place = 0;
  readonly #ms: number;
  readonly #untilMs: number;
  readonly #leave: (() => void) | undefined;
  #wait: Wait | undefined;
  readonly #ending = new LazyAbortSignal();
  #reason: unknown;
  #isOver = false;

  constructor(ms: number, outer?: AbortSignal) {
    this.#ms = ms;
    this.#untilMs = performance.now() + ms;
    if (outer?.aborted) this.#end(outer.reason);
    else if (outer) this.#leave = whenAborted(outer, () => this.#end(outer.reason));
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** For APIs that only take a signal; it aborts only during a wait. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** Waits for one operation at a time, that long or for the time left overall. */
  wait<T>(step: FetchStep, ms: number, begin: Begin<T>): Promise<T> {
    if (this.#isOver) return Promise.reject(this.#reason);
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const untilMs = Math.min(performance.now() + ms, this.#untilMs);
    const wait: Wait = { step, ms, untilMs, reject, callOff: undefined };
    this.#wait = wait;
    waiting.add(this);
    ticking ??= setInterval(tick, TICK_MS);
    wait.callOff = begin(
      (value) => this.#settle(wait) && resolve(value),
      (error) => this.#settle(wait) && reject(error),
    );
    return promise;
  }

  /** Waits for a promise; one that cannot be cancelled is abandoned. */
  waitFor<T>(promise: Promise<T>): Promise<T> {
    return this.wait<T>('whole', Infinity, (found, failed) => void promise.then(found, failed));
  }

  endIfLate(nowMs: number): void {
    const wait = this.#wait;
    if (!wait || nowMs < wait.untilMs) return;
    if (nowMs >= this.#untilMs) this.#end(FetchFailed.late('whole', this.#ms));
    else this.#giveUp(wait, FetchFailed.late(wait.step, Math.round(wait.ms)));
  }

  [Symbol.dispose](): void {
    this.#leave?.();
  }

  #end(reason: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#reason = reason;
    this.#ending.end(reason);
    if (this.#wait) this.#giveUp(this.#wait, reason);
  }

  #giveUp(wait: Wait, error: unknown): void {
    if (!this.#settle(wait)) return;
    wait.callOff?.();
    wait.reject(error);
  }

  /** Whether this call ended the wait, rather than an earlier one. */
  #settle(wait: Wait): boolean {
    if (this.#wait !== wait) return false;
    this.#wait = undefined;
    waiting.delete(this);
    return true;
  }
}

/** Cancellation of a wait. Few of its users need the signal, so it is created on first use. */
export interface Waiting {
  readonly signal: AbortSignal;
}

/** A signal created on first use. */
export class LazyAbortSignal implements Waiting {
  #controller: AbortController | undefined;
  #isOver = false;
  #reason: unknown;

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#isOver) this.#controller.abort(this.#reason);
    return this.#controller.signal;
  }

  end(reason: unknown): void {
    this.#isOver = true;
    this.#reason = reason;
    this.#controller?.abort(reason);
  }
}
