import type { Log } from '../lib/log.ts';
import { pause } from '../lib/pause.ts';
import type { JobMetrics } from './job-metrics.ts';

/** Work that comes again: rows with a due time, claimed in batches, done one by one. */
export interface DueJob<Row> {
  name: string;
  /** How many are done at once. */
  atOnce: number;
  /** Rows that are due, nobody else's until their lease is over; a row whose worker died is due again by itself. */
  claim: (most: number) => Promise<readonly Row[]>;
  /** What the log calls a row; addresses may hold keys, and are not logged. */
  idOf: (row: Row) => string;
  /** Does one and writes down when it is due next; says in a word how it went, for the count. */
  work: (row: Row, signals: StopSignals) => Promise<string>;
}

export interface StopSignals {
  /** The worker stops: what has not begun is not begun. */
  stopping: AbortSignal;
  /** It has waited long enough: what is under way ends now. */
  cut: AbortSignal;
}

export interface JobSurroundings {
  log: Log;
  metrics: JobMetrics;
}

/** A worker with nothing to do asks four times a second at first, and once a second later on: a small box is idle then. */
const [IDLE_MS, LONGEST_IDLE_MS] = [250, 1000];
/** Where little is due, or what is due has to wait for its turn, a question for each one would be most of the work. */
const FEW_MS = 100;
const FEW = 0.1;
const AFTER_FAILURE_MS = 5000;

/** Claims and works until it is stopped. */
export class DueLoop<Row> implements AsyncDisposable {
  readonly #job: DueJob<Row>;
  readonly #log: Log;
  readonly #metrics: JobMetrics;
  #underWay = 0;
  /** Told of each that ends: `Promise.race` would listen to all of hundreds anew whenever one does. */
  #onEnd: (() => void) | undefined;
  readonly #stop = new AbortController();
  readonly #cut = new AbortController();
  readonly #running: Promise<void>;

  constructor(job: DueJob<Row>, { log, metrics }: JobSurroundings) {
    this.#job = job;
    this.#log = log;
    this.#metrics = metrics;
    metrics.watch(job.name, () => this.#underWay);
    this.#running = this.#run();
  }

  async #run(): Promise<void> {
    let idleMs = IDLE_MS;
    while (!this.#stop.signal.aborted) {
      const claimed = await this.#claim();
      for (const row of claimed ?? []) this.#start(row);
      if (claimed === undefined) await this.#pause(AFTER_FAILURE_MS);
      else if (claimed.length === 0) await this.#pause(idleMs);
      else if (claimed.length < this.#job.atOnce * FEW) await this.#pause(FEW_MS);
      idleMs = claimed?.length === 0 ? Math.min(2 * idleMs, LONGEST_IDLE_MS) : IDLE_MS;
      await this.#room();
    }
  }

  /** Undefined when the database could not be asked. */
  async #claim(): Promise<readonly Row[] | undefined> {
    try {
      return await this.#job.claim(this.#job.atOnce - this.#underWay);
    } catch (error) {
      this.#log.warn({ err: error, job: this.#job.name }, 'could not ask what is due; again in five seconds');
      return undefined;
    }
  }

  #start(row: Row): void {
    this.#underWay += 1;
    void this.#work(row);
  }

  async #work(row: Row): Promise<void> {
    const started = performance.now();
    let outcome = 'failed';
    try {
      outcome = await this.#job.work(row, { stopping: this.#stop.signal, cut: this.#cut.signal });
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      this.#log.error(
        { err: error, job: this.#job.name, id: this.#job.idOf(row) },
        'a job failed; it is due again when its lease is over',
      );
    } finally {
      this.#underWay -= 1;
      this.#onEnd?.();
    }
    this.#metrics.count(this.#job.name, outcome, (performance.now() - started) / 1000);
  }

  /** Claims in batches: not before a quarter of the places is free, but never while none is under way. */
  #room(): Promise<void> {
    return this.#atMost(this.#job.atOnce * 0.75);
  }

  /** Until no more than so many are under way. */
  async #atMost(most: number): Promise<void> {
    if (this.#underWay <= most) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onEnd = () => void (this.#underWay <= most && resolve());
    await promise;
    this.#onEnd = undefined;
  }

  /** A little uneven, so that the workers of a fleet do not all ask at the same moment. */
  #pause(ms: number): Promise<void> {
    return pause(ms * (0.75 + Math.random() / 2), this.#stop.signal);
  }

  /** Takes nothing new and lets what is under way end; what takes too long is cut off, and due again later. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    const timer = setTimeout(() => this.#cut.abort(new Error('the worker is stopping')), STOP_MS);
    await this.#running;
    await this.#atMost(0);
    clearTimeout(timer);
  }
}

/** Longer than any fetch may take. */
const STOP_MS = 16_000;
