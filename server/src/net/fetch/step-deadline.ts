import { FetchFailed, type FetchStep, UnsafeAddress } from './fetch-failed.ts';
import { HostBusy } from './host-limiter.ts';

/** A signal that follows another one or aborts after a timeout; disposing of it removes timer and listener. */
export class StepDeadline implements Disposable {
  readonly #ending = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #outer: AbortSignal | undefined;

  constructor(step: FetchStep, ms: number, outer?: AbortSignal) {
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

/** Runs one step with its own timeout, and labels every failure with the step. */
export async function withinStep<T>(
  step: FetchStep,
  ms: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  using deadline = new StepDeadline(step, ms, signal);
  return await failingAs(step, deadline.signal, work);
}

/** Runs one step within the remaining time. */
export async function failingAs<T>(
  step: FetchStep,
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

/** Labels an error with the step, unless it is already a specific one. */
export const failedAt = (step: FetchStep, error: unknown): unknown =>
  error instanceof UnsafeAddress || error instanceof HostBusy || error instanceof FetchFailed
    ? error
    : FetchFailed.because(step, error);

/** Abandons a promise that cannot be cancelled, such as a system look-up. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    const leave = (): void => signal.removeEventListener('abort', stop);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).then(leave, leave);
  });
}
