import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { Refusal } from '../lib/refusal.ts';
import type { PasswordOutcome, PasswordTask } from './password-worker.ts';

export interface WorkerLimits {
  /** Hashed at the same time; one core stays with the menus. */
  atOnce: number;
  /** Waiting for their turn; further ones are refused at once. */
  queue: number;
  waitMs: number;
}

const cores = availableParallelism();
/** Each worker takes 20 MB while it hashes, so a large machine does not start one for every core. */
const MOST_WORKERS = 8;
const LIMITS: WorkerLimits = {
  atOnce: Math.min(MOST_WORKERS, Math.max(1, cores - 1)),
  queue: 8 * cores,
  waitMs: 1500,
};
const RETRY_SECONDS = 2;
/** Shorter than the most impatient radio waits. */
const HOLD_MS = 1000;

/**
 * Hashes passwords on threads of low priority, a few at a time: a hash is made to be expensive, and whoever sends wrong
 * passwords by the thousand must not take the processor from those who listen.
 */
export class PasswordWorkers implements AsyncDisposable {
  readonly #limits: WorkerLimits;
  readonly #idle: Worker[] = [];
  readonly #all = new Set<Worker>();
  readonly #waiting = new Set<() => void>();
  #running = 0;

  constructor(limits: Partial<WorkerLimits> = {}) {
    this.#limits = { ...LIMITS, ...limits };
  }

  /** Whether one more would be refused. */
  get isFull(): boolean {
    return this.#running >= this.#limits.atOnce && this.#waiting.size >= this.#limits.queue;
  }

  async run(task: PasswordTask): Promise<PasswordOutcome> {
    if (this.#running >= this.#limits.atOnce) await this.#turn();
    else this.#running += 1;
    const [started, before] = [performance.now(), performance.eventLoopUtilization()];
    try {
      return await this.#hand(task);
    } finally {
      const { utilization } = performance.eventLoopUtilization(before);
      const rest = restMs(performance.now() - started, utilization);
      if (rest > 0) setTimeout(() => this.#passOn(), rest).unref();
      else this.#passOn();
    }
  }

  /** Resolves when a place is handed over; a place that came too late was never taken. */
  #turn(): Promise<void> {
    if (this.isFull) throw busy();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      this.#waiting.delete(goOn);
      reject(busy());
    }, this.#limits.waitMs);
    const goOn = (): void => {
      clearTimeout(timer);
      resolve();
    };
    this.#waiting.add(goOn);
    return promise;
  }

  #passOn(): void {
    const [next] = this.#waiting;
    if (!next) {
      this.#running -= 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }

  async #hand(task: PasswordTask): Promise<PasswordOutcome> {
    const worker = this.#idle.pop() ?? this.#start();
    worker.ref();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
    worker.postMessage(task);
    // `once` rejects with the worker's error; such a worker is gone and not used again.
    const [outcome]: PasswordOutcome[] = await once(worker, 'message');
    if (!outcome) throw new Error('a password worker answered nothing');
    worker.unref();
    this.#idle.push(worker);
    return outcome;
  }

  #start(): Worker {
    const worker = new Worker(new URL('password-worker.ts', import.meta.url));
    this.#all.add(worker);
    worker.once('exit', () => this.#all.delete(worker));
    return worker;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(Array.from(this.#all, (worker) => worker.terminate()));
  }
}

/** Of the time that this thread had: beyond it, menus wait for each other. */
const BUSY = 0.85;
const RESTS = 4;

/**
 * How long a worker rests after a hash that took so long. Low priority alone is not enough: a hash takes the memory's
 * time too, and two cores are often one that is shared. While menus keep this thread busy, four fifths of the worker's
 * time are theirs.
 */
export const restMs = (tookMs: number, utilization: number): number =>
  utilization > BUSY ? RESTS * tookMs : 0;

export const busy = (): Refusal =>
  new Refusal(
    503,
    'request.overloaded',
    'Too many are signing in at this moment; try again in a few seconds',
    RETRY_SECONDS,
    HOLD_MS,
  );
