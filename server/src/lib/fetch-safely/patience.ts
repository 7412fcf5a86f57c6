import { Crowd, type Member } from '../crowd.ts';
import { whenAborted } from '../when-aborted.ts';
import { FetchFailed, type Step } from './fetch-failed.ts';
import { LateSignal, type Waiting } from './late-signal.ts';

/** Begins what is waited for; gives what calls it off, where that is worth anything. */
type Begin<T> = (done: (value: T) => void, fail: (error: unknown) => void) => (() => void) | void;

interface Wait {
  step: Step;
  ms: number;
  untilMs: number;
  reject: (error: unknown) => void;
  callOff: (() => void) | void;
}

const TICK_MS = 25;
/** Looked through all together: a timer for each wait took longer than the wait did. */
const waiting = new Crowd<Patience>();
let ticking: NodeJS.Timeout | undefined;

function tick(): void {
  const nowMs = performance.now();
  for (const patience of waiting.all()) patience.endIfLate(nowMs);
  if (waiting.size > 0) return;
  clearInterval(ticking);
  ticking = undefined;
}

/**
 * How long is waited for one thing after the other: each has its own time, all of them have one together, and a signal ends
 * any. A probe waits six times; with a timer and a signal for each of these and for all, waiting was a quarter of its work.
 */
export class Patience implements Disposable, Member, Waiting {
  place = 0;
  readonly #ms: number;
  readonly #untilMs: number;
  readonly #leave: (() => void) | undefined;
  #wait: Wait | undefined;
  readonly #ending = new LateSignal();
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

  /** For who cannot be told otherwise; it comes only while something is waited for. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** Waits for one thing at a time, so long or for all the time that is left. */
  wait<T>(step: Step, ms: number, begin: Begin<T>): Promise<T> {
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

  /** Waits for a promise, which can be left where it cannot be called off. */
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

  /** Whether it is by this that the wait ends, and has not before. */
  #settle(wait: Wait): boolean {
    if (this.#wait !== wait) return false;
    this.#wait = undefined;
    waiting.delete(this);
    return true;
  }
}
