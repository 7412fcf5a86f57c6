import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Options } from '@node-rs/argon2';
import { Refusal } from '../../../lib/fault.ts';
import type { KeySet, MemberKeys } from '../keys.ts';
import type { PasswordOutcome, PasswordTask } from './password-worker.ts';

/** OWASP's parameters for argon2id, the default algorithm, with one lane: 19 MiB, two passes. */
const OPTIONS: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

interface PasswordsOptions {
  keys: MemberKeys;
  workers?: Partial<WorkerLimits>;
  hashing?: Partial<Options>;
}

/**
 * How passwords are stored: the version of the service's key, `$`, and an argon2id hash over an HMAC of the password with
 * that key.
 */
export class Passwords implements AsyncDisposable {
  readonly #keys: MemberKeys;
  readonly #workers: PasswordWorkers;
  readonly #options: Options;
  /** The hash that passwords of unknown names are checked against, so that it takes as long. */
  #nobodys: Promise<string> | undefined;

  constructor({ keys, workers, hashing }: PasswordsOptions) {
    this.#keys = keys;
    this.#workers = new PasswordWorkers(workers);
    this.#options = { ...OPTIONS, ...hashing };
  }

  /** Whether another task would be refused now. */
  get isFull(): boolean {
    return this.#workers.isFull;
  }

  async hash(password: string): Promise<string> {
    const { writing } = this.#keys;
    const peppered = pepper(writing, preparePassword(password));
    const outcome = await this.#workers.run({ peppered, options: this.#options });
    if (!('phc' in outcome)) throw new Error('a password worker made no hash');
    return `${writing.version}$${outcome.phc}`;
  }

  /** Whether a password matches the stored hash; without one it never does, and takes as long. */
  async fits(password: string, stored: string | undefined): Promise<boolean> {
    const known = this.#parse(stored);
    const parsed = known ?? this.#parse(await this.#nobody());
    if (parsed === undefined) throw new Error('there is no hash to check a password against');
    const { set, phc } = parsed;
    let fits = false;
    for (const spelling of spellingsOf(password)) {
      const task = { peppered: pepper(set, spelling), phc, options: this.#options };
      const outcome = await this.#workers.run(task);
      fits = 'fits' in outcome && outcome.fits;
      if (fits) break;
    }
    return fits && known !== undefined && password !== '';
  }

  /** Whether a stored hash is weaker than those made now, or made with an earlier key. */
  isOld(stored: string): boolean {
    const { memoryCost, timeCost, parallelism } = this.#options;
    return !stored.startsWith(
      `${this.#keys.writing.version}$$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`,
    );
  }

  /** Prepares the hash that the first unknown name would otherwise wait for. */
  async prepare(): Promise<void> {
    await this.#nobody();
  }

  async #nobody(): Promise<string> {
    this.#nobodys ??= this.hash(randomBytes(32).toString('base64'));
    try {
      return await this.#nobodys;
    } catch (error) {
      this.#nobodys = undefined;
      throw error;
    }
  }

  /** Undefined when nothing is stored, or nothing that a password can be checked against. */
  #parse(stored: string | undefined): { set: KeySet; phc: string } | undefined {
    const [, version, phc] = /^(\d+)\$(\$argon2id\$.*)$/s.exec(stored ?? '') ?? [];
    const set = this.#keys.all.find((each) => String(each.version) === version);
    return set && phc !== undefined ? { set, phc } : undefined;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#workers[Symbol.asyncDispose]();
  }
}

/**
 * The normalized form of a password, by RFC 8265 (OpaqueString): composed, since keyboards differ in how they encode an
 * accent, and every kind of space as a plain one.
 */
const preparePassword = (password: string): string => password.replaceAll(/\p{Zs}/gu, ' ').normalize('NFC');

/** That form, and those of earlier hashes; only one form for a password without accents or unusual spaces. */
const spellingsOf = (password: string): Set<string> =>
  new Set([preparePassword(password), password, password.normalize('NFC'), password.normalize('NFD')]);

const pepper = (set: KeySet, password: string): string =>
  createHmac('sha256', set.password).update(password).digest('base64');

interface WorkerLimits {
  /** Hashes computed concurrently; one core stays free for menus. */
  concurrency: number;
  /** Waiting tasks; further ones are refused immediately. */
  queue: number;
  waitMs: number;
}

const cores = availableParallelism();
/** Each worker takes 20 MB while it hashes, so a large machine does not start one per core. */
const MAX_WORKERS = 8;
const LIMITS: WorkerLimits = {
  concurrency: Math.min(MAX_WORKERS, Math.max(1, cores - 1)),
  queue: 8 * cores,
  waitMs: 1500,
};
const RETRY_SECONDS = 2;
/** Shorter than the shortest timeout of a radio. */
const HOLD_MS = 1000;

/**
 * Hashes passwords on low-priority threads, a few at a time: a hash is expensive by design, and an attacker who sends
 * thousands of wrong passwords must not take the CPU from listeners.
 */
class PasswordWorkers implements AsyncDisposable {
  readonly #limits: WorkerLimits;
  readonly #idle: Worker[] = [];
  readonly #all = new Set<Worker>();
  readonly #waiting = new Set<() => void>();
  #running = 0;

  constructor(limits: Partial<WorkerLimits> = {}) {
    this.#limits = { ...LIMITS, ...limits };
  }

  /** Whether another task would be refused. */
  get isFull(): boolean {
    return this.#running >= this.#limits.concurrency && this.#waiting.size >= this.#limits.queue;
  }

  async run(task: PasswordTask): Promise<PasswordOutcome> {
    if (this.#running >= this.#limits.concurrency) await this.#turn();
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

  /** Resolves when a worker becomes free; a task that timed out while waiting never takes one. */
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
    if (!outcome) throw new Error('a password worker sent no result');
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

/** Utilization of the main thread: beyond it, menus wait for each other. */
const BUSY = 0.85;
const RESTS = 4;

/**
 * How long a worker pauses after a hash that took `tookMs`. Low priority alone is not enough: a hash also uses memory
 * bandwidth, and two cores are often one shared core. While the main thread is busy with menus, the worker is idle four
 * fifths of the time.
 */
export const restMs = (tookMs: number, utilization: number): number =>
  utilization > BUSY ? RESTS * tookMs : 0;

export const busy = (): Refusal =>
  new Refusal(
    503,
    'request.overloaded',
    'Too many people are signing in right now; try again in a few seconds',
    RETRY_SECONDS,
    HOLD_MS,
  );
