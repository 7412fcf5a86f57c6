import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { pause } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';

/*
 * The loop under every recurring job: streams, feeds, pictures, schedules, hubs.
 *
 * The state of a row lives in the row alone (ADR 11), so that it survives any crash:
 *
 *   due        its due time has passed
 *   claimed    the claim moved the due time to the end of a lease; no other worker gets the row until then
 *   due later  the work ended and saved when the row is due next
 *
 * When a worker dies or the work throws, the row stays claimed and is due again when the lease ends. So work may be
 * done twice, and the statement that saves its outcome must notice (`claimed_at` of a stream, the digest of a feed).
 *
 * The loop itself has no queue, only a count of rows under way, and is in one of these states:
 *
 *   claiming   queries for as many rows as there are free slots
 *   resting    nothing was due (250 ms, doubling up to 1 s), little was (100 ms), or the database did not answer (5 s);
 *              each with a quarter of jitter, so that workers do not query in step
 *   full       over three quarters of the slots are taken: it waits until a quarter is free, so that a claim gets many
 *              rows; claims and results for a few at a time cost several times as much per row (docs/probing.md)
 *   stopping   it claims no more; `stopping` keeps claimed rows from being started; work under way may end
 *   cut off    16 seconds later `cut` aborts what is still under way, without an outcome
 *
 * Only disposing of it moves it to stopping, and only the timer set then to cut off; there is no way back. One-time
 * jobs and jobs for a time of day belong in `timed.ts`.
 */

/** Recurring work: rows with a due time, claimed in batches, done one by one. */
export interface DueJob<Row> {
  name: string;
  /** How many rows are worked on concurrently. */
  concurrency: number;
  /** Rows that are due, exclusive until their lease ends; a row whose worker died becomes due again by itself. */
  claim: (most: number) => Promise<readonly Row[]>;
  /** What the log calls a row; addresses may hold keys, and are not logged. */
  idOf: (row: Row) => string;
  /** Works on one row and writes when it is due next; returns the outcome in one word, for the metrics. */
  work: (row: Row, signals: StopSignals) => Promise<string>;
}

interface StopSignals {
  /** The worker is stopping: begin nothing new. */
  stopping: AbortSignal;
  /** The grace period is over: work under way ends now. */
  cut: AbortSignal;
}

export interface JobSurroundings {
  log: Log;
  metrics: JobMetrics;
}

/** An idle worker polls four times a second at first and once a second later, so that a small machine is idle then. */
const [IDLE_MS, MAX_IDLE_MS] = [250, 1000];
/** Where few rows are due, or they have to wait for their hosts, a query for each would be most of the work. */
const FEW_MS = 100;
const FEW = 0.1;
const AFTER_FAILURE_MS = 5000;

/** Claims rows and works on them until it is stopped. */
export class DueLoop<Row> implements AsyncDisposable {
  readonly #job: DueJob<Row>;
  readonly #log: Log;
  readonly #metrics: JobMetrics;
  #underWay = 0;
  /** Called when a row is done: `Promise.race` would subscribe to hundreds of promises anew each time. */
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
      else if (claimed.length < this.#job.concurrency * FEW) await this.#pause(FEW_MS);
      idleMs = claimed?.length === 0 ? Math.min(2 * idleMs, MAX_IDLE_MS) : IDLE_MS;
      await this.#room();
    }
  }

  /** Undefined when the database could not be queried. */
  async #claim(): Promise<readonly Row[] | undefined> {
    try {
      const claimed = await this.#job.claim(this.#job.concurrency - this.#underWay);
      this.#metrics.beat(this.#job.name);
      return claimed;
    } catch (error) {
      this.#log.warn(
        { err: error, job: this.#job.name },
        'could not query for due rows; retrying in five seconds',
      );
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
        'a job failed; it is due again when its lease ends',
      );
    } finally {
      this.#underWay -= 1;
      this.#onEnd?.();
    }
    this.#metrics.count(this.#job.name, outcome, (performance.now() - started) / 1000);
  }

  /** Waits for room for a batch: until a quarter of the slots is free, but never while nothing is under way. */
  #room(): Promise<void> {
    return this.#atMost(this.#job.concurrency * 0.75);
  }

  /** Until at most `most` are under way. */
  async #atMost(most: number): Promise<void> {
    if (this.#underWay <= most) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onEnd = () => void (this.#underWay <= most && resolve());
    await promise;
    this.#onEnd = undefined;
  }

  /** With jitter, so that the workers of a fleet do not all query at the same moment. */
  #pause(ms: number): Promise<void> {
    return pause(ms * (0.75 + Math.random() / 2), this.#stop.signal);
  }

  /** Claims nothing new and lets work under way end; what takes too long is aborted, and due again later. */
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

const SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30, 60];

/** The metrics of a worker's jobs. */
export class JobMetrics {
  /** Counts by job and outcome, summed up here because the registry takes longer to find the label than to count. */
  readonly #done = new Map<string, Map<string, number>>();
  readonly #seconds: Histogram;
  readonly #underWay = new Map<string, () => number>();
  readonly #beats = new Map<string, number>();

  constructor(registry: Registry) {
    const registers = [registry];
    const done = this.#done;
    registry.registerMetric(
      new Counter({
        name: 'jobs_total',
        help: 'Jobs done, by outcome',
        labelNames: ['job', 'outcome'],
        registers: [],
        collect() {
          this.reset();
          for (const [job, outcomes] of done)
            for (const [outcome, count] of outcomes) this.inc({ job, outcome }, count);
        },
      }),
    );
    this.#seconds = new Histogram({
      name: 'job_seconds',
      help: 'How long a job took',
      labelNames: ['job'],
      buckets: SECONDS,
      registers,
    });
    const underWay = this.#underWay;
    registry.registerMetric(
      new Gauge({
        name: 'jobs_under_way',
        help: 'Jobs under way',
        labelNames: ['job'],
        registers: [],
        collect() {
          for (const [job, read] of underWay) this.set({ job }, read());
        },
      }),
    );
    const beats = this.#beats;
    registry.registerMetric(
      new Gauge({
        name: 'worker_heartbeat_timestamp_seconds',
        help: 'When the loop of a job last asked for what is due, or ended a job',
        labelNames: ['job'],
        registers: [],
        collect() {
          for (const [job, at] of beats) this.set({ job }, at);
        },
      }),
    );
  }

  /** The loop of a job lives: it has just asked for what is due, or ended something. */
  beat(job: string): void {
    this.#beats.set(job, Date.now() / 1000);
  }

  count(job: string, outcome: string, seconds: number): void {
    this.beat(job);
    const outcomes = this.#done.get(job) ?? new Map<string, number>();
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    this.#done.set(job, outcomes);
    this.#seconds.observe({ job }, seconds);
  }

  watch(job: string, underWay: () => number): void {
    this.#underWay.set(job, underWay);
  }
}
