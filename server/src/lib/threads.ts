import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { type Transferable, Worker } from 'node:worker_threads';

export interface ThreadLimits {
  /**
   * Maximum number of threads; one core is left to the rest of the process. At least two, or everything waits for the
   * largest task.
   */
  most: number;
  /** CPU time per task; a thread that takes more is terminated. */
  cpuMs: number;
  heapMb: number;
}

const MAX_THREADS = 4;
const LIMITS: ThreadLimits = {
  most: Math.min(MAX_THREADS, Math.max(2, availableParallelism() - 1)),
  // The largest feed allowed took 2.5 s on a shared core. Runaway tasks take far longer, and a slow machine must not
  // fail a good feed.
  cpuMs: 10_000,
  heapMb: 128,
};
const LOOK_MS = 250;

/** The task took too much time or memory, and its thread was terminated. */
export class ThreadEnded extends Error {
  override name = 'ThreadEnded';
}

/**
 * Runs tasks on a module that answers each message with one. Threads start on demand, and a runaway task costs its
 * thread, not the process.
 */
export class Threads<Task, Outcome> implements AsyncDisposable {
  readonly #module: URL;
  readonly #limits: ThreadLimits;
  readonly #idle: Worker[] = [];
  readonly #all = new Set<Worker>();
  readonly #queue: (() => void)[] = [];
  #running = 0;

  constructor(module: URL, limits: Partial<ThreadLimits> = {}) {
    this.#module = module;
    this.#limits = { ...LIMITS, ...limits };
  }

  async run(task: Task, transfer: Transferable[] = []): Promise<Outcome> {
    if (this.#running >= this.#limits.most)
      await new Promise<void>((resolve) => void this.#queue.push(resolve));
    else this.#running += 1;
    try {
      return await this.#hand(this.#idle.pop() ?? this.#start(), task, transfer);
    } finally {
      const next = this.#queue.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }

  async #hand(worker: Worker, task: Task, transfer: Transferable[]): Promise<Outcome> {
    const answer = firstOf<Outcome>(worker);
    const watch = this.#watch(worker);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
    worker.postMessage(task, transfer);
    try {
      const outcome = await answer;
      this.#idle.push(worker);
      return outcome;
    } finally {
      clearInterval(watch);
    }
  }

  #watch(worker: Worker): NodeJS.Timeout {
    let atStart: number | undefined;
    const look = async (): Promise<void> => {
      const { user, system } = await worker.cpuUsage();
      const ms = (user + system) / 1000;
      atStart ??= ms;
      if (ms - atStart > this.#limits.cpuMs) await worker.terminate();
    };
    // A thread that has ended cannot report its usage, and need not.
    return setInterval(() => void look().catch(() => undefined), LOOK_MS).unref();
  }

  #start(): Worker {
    const worker = new Worker(this.#module, {
      resourceLimits: { maxOldGenerationSizeMb: this.#limits.heapMb },
      execArgv: [],
    });
    worker.unref();
    this.#all.add(worker);
    worker.once('exit', () => this.#all.delete(worker));
    return worker;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(Array.from(this.#all, (worker) => worker.terminate()));
  }
}

/** The thread's answer, or the reason it ended without one. */
async function firstOf<Outcome>(worker: Worker): Promise<Outcome> {
  const given = new AbortController();
  const { signal } = given;
  const ended = once(worker, 'exit', { signal }).then(() => {
    throw new ThreadEnded('the task took too much time or memory, so its thread was terminated');
  });
  try {
    const [outcome]: Outcome[] = await Promise.race([once(worker, 'message', { signal }), ended]);
    if (outcome === undefined) throw new ThreadEnded('the thread ended without an answer');
    return outcome;
  } catch (error) {
    throw error instanceof ThreadEnded ? error : new ThreadEnded('the thread failed', { cause: error });
  } finally {
    given.abort();
  }
}
