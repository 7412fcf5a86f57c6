import { whenAborted } from '../../lib/deadlines/when-aborted.ts';
import type { Waiting } from './deadline.ts';

/** Too many calls wait for this host already; try again later. */
export class HostBusy extends Error {
  override name = 'HostBusy';
}

/** Disposing of it twice does not free another caller's slot. */
class HostSlot implements Disposable {
  #limiter: HostLimiter | undefined;
  readonly #key: string;

  constructor(limiter: HostLimiter, key: string) {
    this.#limiter = limiter;
    this.#key = key;
  }

  [Symbol.dispose](): void {
    const limiter = this.#limiter;
    this.#limiter = undefined;
    limiter?.leave(this.#key);
  }
}

/**
 * Limits how many calls run concurrently per key; the rest wait in a bounded queue. A key without callers is removed,
 * so memory follows what is in progress.
 */
export class HostLimiter {
  readonly #most: number;
  readonly #maxQueue: number;
  readonly #taken = new Map<string, { inUse: number; queue: (() => void)[] }>();

  constructor(most: number, maxQueue: number) {
    this.#most = most;
    this.#maxQueue = maxQueue;
  }

  /** A slot, freed by disposing of it. Nearly always one is free, and then no promise is created. */
  take(key: string, waiting: Waiting): Disposable | Promise<Disposable> {
    const place = this.#taken.get(key);
    if (!place) this.#taken.set(key, { inUse: 1, queue: [] });
    else if (place.inUse >= this.#most) return this.#wait(key, place.queue, waiting.signal);
    else place.inUse += 1;
    return new HostSlot(this, key);
  }

  get size(): number {
    return this.#taken.size;
  }

  async #wait(key: string, queue: (() => void)[], signal: AbortSignal): Promise<Disposable> {
    signal.throwIfAborted();
    if (queue.length >= this.#maxQueue) throw new HostBusy(`too many calls are waiting for ${key}`);
    const { promise, resolve, reject } = Promise.withResolvers<Disposable>();
    const giveUp = (): void => {
      queue.splice(queue.indexOf(slot), 1);
      reject(signal.reason);
    };
    const slot = (): void => {
      leave();
      resolve(new HostSlot(this, key));
    };
    queue.push(slot);
    const leave = whenAborted(signal, giveUp);
    return promise;
  }

  /** Hands a freed slot to the first waiting call, if any. */
  leave(key: string): void {
    const place = this.#taken.get(key);
    if (!place) return;
    const next = place.queue.shift();
    if (next) return next();
    place.inUse -= 1;
    if (place.inUse === 0) this.#taken.delete(key);
  }
}
