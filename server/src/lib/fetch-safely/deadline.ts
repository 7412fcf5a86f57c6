import { FetchFailed, type Step } from './fetch-failed.ts';
import { NoSeat } from './seats.ts';
import { UnsafeAddress } from './unsafe-address.ts';

/** A signal that ends with another one, or after so long; dispose of it and nothing of it is left. */
export class Deadline implements Disposable {
  readonly #ending = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #outer: AbortSignal | undefined;

  constructor(step: Step, ms: number, outer?: AbortSignal) {
    this.#outer = outer;
    this.#timer = setTimeout(() => this.#ending.abort(FetchFailed.late(step, ms)), ms);
    if (outer?.aborted) this.#end();
    outer?.addEventListener('abort', this.#end, { once: true });
  }

  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#outer?.removeEventListener('abort', this.#end);
  }

  readonly #end = (): void => this.#ending.abort(this.#outer?.reason);
}

/** Does one step, which has so much time, and says of every failure that it was this step's. */
export async function inTime<T>(
  step: Step,
  ms: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  using deadline = new Deadline(step, ms, signal);
  return await failingAs(step, deadline.signal, work);
}

/** Does one step, which has the time that is left. */
export async function failingAs<T>(
  step: Step,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  try {
    signal.throwIfAborted();
    return await unlessAborted(work(signal), signal);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw failedAt(step, error);
  }
}

/** An error as that step's, unless it says by itself what it is. */
export const failedAt = (step: Step, error: unknown): unknown =>
  error instanceof UnsafeAddress || error instanceof NoSeat || error instanceof FetchFailed
    ? error
    : FetchFailed.because(step, error);

/** What cannot be called off, such as a look-up by the system, can be left. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    const leave = (): void => signal.removeEventListener('abort', stop);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).then(leave, leave);
  });
}
