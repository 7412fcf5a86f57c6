import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { type Transferable, Worker } from 'node:worker_threads';

export interface ThreadLimits {
  /** Threads at once; one core stays with the rest of the process. Never one alone, or all wait for the largest task. */
  most: number;
  /** Of processor time for one task; a thread that takes more is ended. */
  cpuMs: number;
  heapMb: number;
}

const MOST_THREADS = 4;
const LIMITS: ThreadLimits = {
  most: Math.min(MOST_THREADS, Math.max(2, availableParallelism() - 1)),
  // The largest feed there may be took 2.5 s on a core that others used too. What has to be ended takes far longer than that;
  // a slow machine is no reason to blame a feed.
  cpuMs: 10_000,
  heapMb: 128,
};
const LOOK_MS = 250;

/** The task took too much time or memory, and its thread was ended. */
export class ThreadEnded extends Error {
  override name = 'ThreadEnded';
}

/**
 * Tasks for a module that answers each message with one. Threads are started when there is work, and a task that eats a
 * thread up costs that thread, not the process.
 */
export class Threads<Task, Outcome> implements AsyncDisposable {
  readonly #module: URL;
  readonly #limits: ThreadLimits;
  readonly #idle: Worker[] = [];
  readonly #all = new Set<Worker>();
  readonly #line: (() => void)[] = [];
  #running = 0;

  constructor(module: URL, limits: Partial<ThreadLimits> = {}) {
    this.#module = module;
    this.#limits = { ...LIMITS, ...limits };
  }

  async run(task: Task, transfer: Transferable[] = []): Promise<Outcome> {
    if (this.#running >= this.#limits.most)
      await new Promise<void>((resolve) => void this.#line.push(resolve));
    else this.#running += 1;
    try {
      return await this.#hand(this.#idle.pop() ?? this.#start(), task, transfer);
    } finally {
      const next = this.#line.shift();
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
    // A thread that has ended cannot be asked, and need not be.
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

/** What it says, or why it ended without a word. */
async function firstOf<Outcome>(worker: Worker): Promise<Outcome> {
  const given = new AbortController();
  const { signal } = given;
  const ended = once(worker, 'exit', { signal }).then(() => {
    throw new ThreadEnded('the task took too long or too much memory, and its thread was ended');
  });
  try {
    const [outcome]: Outcome[] = await Promise.race([once(worker, 'message', { signal }), ended]);
    if (outcome === undefined) throw new ThreadEnded('the thread answered nothing');
    return outcome;
  } catch (error) {
    throw error instanceof ThreadEnded ? error : new ThreadEnded('the thread failed', { cause: error });
  } finally {
    given.abort();
  }
}
