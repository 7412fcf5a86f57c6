import { setTimeout as sleep } from 'node:timers/promises';
import { Logger, type Runner, type Task, parseCronItems, run, runMigrations } from 'graphile-worker';
import type { Pool } from 'pg';
import { createPool } from '../db/pool.ts';
import { pause } from '../lib/pause.ts';
import type { JobSurroundings } from './due-job.ts';

/** Something to be done at a time of day, by one worker of all; tried again with growing pauses when it fails. */
export interface TimedJob {
  name: string;
  /** As in a crontab, in UTC: `17 3 * * *`. */
  at: string;
  /** Says in a word how it went, for the count. */
  work: (signal: AbortSignal) => Promise<string>;
}

/** A day that passed while no worker ran is made up for when one starts. */
const BACKFILL_MS = 24 * 3_600_000;
const MOST_ATTEMPTS = 10;
const CONNECTIONS = 4;
const AFTER_FAILURE_MS = 5000;
const LAST_WORDS_MS = 3000;
/**
 * At once, and in the way of batches: in the other one a runner does not look whether it could write down how a job went, and
 * a database that is away at that moment would end the process with a promise nobody listens to.
 */
const WRITTEN_DOWN = { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } };

/** The tables that timed jobs are kept in, in a schema of their own. */
export const migrateTimedJobs = (databaseUrl: string): Promise<void> =>
  runMigrations({ connectionString: databaseUrl, logger: new Logger(() => () => undefined) });

/** Runs the jobs at their times, until it is disposed of; what is under way then may end. */
export class TimedJobs implements AsyncDisposable {
  readonly #jobs: readonly TimedJob[];
  readonly #around: JobSurroundings;
  /** Of its own: it keeps one connection to listen on, and must not wait for one behind a hundred feeds. */
  readonly #pool: Pool;
  readonly #running: Promise<void>;
  readonly #stop = new AbortController();
  #runner: Runner | undefined;

  constructor(jobs: readonly TimedJob[], databaseUrl: string, around: JobSurroundings) {
    this.#jobs = jobs;
    this.#around = around;
    const applicationName = 'longwave timed';
    this.#pool = createPool({ databaseUrl, size: CONNECTIONS, applicationName, hasUsualTypes: true });
    this.#running = this.#keepRunning();
  }

  /** A runner gives up when the database is away; the next one starts when it may be back. */
  async #keepRunning(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      try {
        this.#runner = await this.#start();
        if (this.#stop.signal.aborted) await this.#runner.stop();
        await this.#runner.promise;
      } catch (error) {
        this.#around.log.warn({ err: error }, 'timed jobs are interrupted; they go on in a few seconds');
      }
      await pause(AFTER_FAILURE_MS, this.#stop.signal);
    }
  }

  #start(): Promise<Runner> {
    const { log } = this.#around;
    return run({
      pgPool: this.#pool,
      concurrency: 1,
      noHandleSignals: true,
      preset: WRITTEN_DOWN,
      taskList: Object.fromEntries(this.#jobs.map((job) => [job.name, taskOf(job, this.#around)])),
      parsedCronItems: parseCronItems(this.#jobs.map(cronItem)),
      logger: new Logger(() => (level, message) => {
        // oxlint-disable-next-line typescript/no-unsafe-enum-comparison -- a const enum, which is not there at run time
        if (level === 'error') log.warn({ job: 'timed' }, message);
        else log.debug({ job: 'timed' }, message);
      }),
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    // One that has stopped by itself says so by throwing.
    await this.#runner?.stop().catch(() => undefined);
    await this.#running;
    await untilIdle(this.#pool);
    await this.#pool.end();
  }
}

/** A runner that has stopped may still be writing down that its last job is done. */
async function untilIdle(pool: Pool): Promise<void> {
  const deadline = performance.now() + LAST_WORDS_MS;
  do await sleep(20);
  while ((pool.waitingCount > 0 || pool.idleCount < pool.totalCount) && performance.now() < deadline);
}

const cronItem = ({ name, at }: TimedJob) => ({
  task: name,
  match: at,
  identifier: name,
  options: { backfillPeriod: BACKFILL_MS, maxAttempts: MOST_ATTEMPTS, jobKey: name },
});

function taskOf({ name, work }: TimedJob, { log, metrics }: JobSurroundings): Task {
  return async (_payload, { abortSignal }) => {
    const started = performance.now();
    const seconds = (): number => (performance.now() - started) / 1000;
    try {
      const outcome = await work(abortSignal);
      metrics.count(name, outcome, seconds());
    } catch (error) {
      metrics.count(name, 'failed', seconds());
      log.error({ err: error, job: name }, 'a timed job failed; it is tried again');
      throw error;
    }
  };
}
