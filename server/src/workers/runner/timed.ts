import { setTimeout as sleep } from 'node:timers/promises';
import { Logger, parseCronItems, run, runMigrations, type Runner, type Task } from 'graphile-worker';
import type { Pool } from 'pg';
import { pause } from '../../lib/clock.ts';
import { createPool } from '../../storage/db/pool.ts';
import type { JobSurroundings } from './due-job.ts';

/** A job for a time of day, run by one worker of the fleet; retried with growing pauses when it fails. */
export interface TimedJob {
  name: string;
  /** As in a crontab, in UTC: `17 3 * * *`. */
  at: string;
  /** Returns the outcome in one word, for the metrics. */
  work: (signal: AbortSignal) => Promise<string>;
}

/** A run that was missed because no worker was up is made up for when one starts. */
const BACKFILL_MS = 24 * 3_600_000;
const MAX_ATTEMPTS = 10;
const CONNECTIONS = 4;
const AFTER_FAILURE_MS = 5000;
const LAST_WORDS_MS = 3000;
/**
 * Immediately, but through the batch code path: the other one does not handle a failure to save a job's outcome, and a
 * database that is down at that moment would end the process with an unhandled rejection.
 */
const SAVE_IMMEDIATELY = { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } };

/** The tables of timed jobs, in a schema of their own. */
export const migrateTimedJobs = (databaseUrl: string): Promise<void> =>
  runMigrations({ connectionString: databaseUrl, logger: new Logger(() => () => undefined) });

/** Runs the jobs at their times until it is disposed of; a job under way then may finish. */
export class TimedJobs implements AsyncDisposable {
  readonly #jobs: readonly TimedJob[];
  readonly #around: JobSurroundings;
  /** A pool of its own: it keeps one connection to listen on, and must not wait for one behind a hundred feeds. */
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

  /** A runner gives up when the database is down; the next one starts when it may be back. */
  async #keepRunning(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      try {
        this.#runner = await this.#start();
        if (this.#stop.signal.aborted) await this.#runner.stop();
        await this.#runner.promise;
      } catch (error) {
        this.#around.log.warn({ err: error }, 'timed jobs were interrupted; retrying in a few seconds');
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
      preset: SAVE_IMMEDIATELY,
      taskList: Object.fromEntries(this.#jobs.map((job) => [job.name, taskOf(job, this.#around)])),
      parsedCronItems: parseCronItems(this.#jobs.map(cronItem)),
      logger: new Logger(() => (level, message) => {
        // oxlint-disable-next-line typescript/no-unsafe-enum-comparison -- a const enum: no value at run time
        if (level === 'error') log.warn({ job: 'timed' }, message);
        else log.debug({ job: 'timed' }, message);
      }),
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    // A runner that has stopped by itself reports that by throwing.
    await this.#runner?.stop().catch(() => undefined);
    await this.#running;
    await untilIdle(this.#pool);
    await this.#pool.end();
  }
}

/** A runner that has stopped may still be saving that its last job is done. */
async function untilIdle(pool: Pool): Promise<void> {
  const deadline = performance.now() + LAST_WORDS_MS;
  do await sleep(20);
  while ((pool.waitingCount > 0 || pool.idleCount < pool.totalCount) && performance.now() < deadline);
}

const cronItem = ({ name, at }: TimedJob) => ({
  task: name,
  match: at,
  identifier: name,
  options: { backfillPeriod: BACKFILL_MS, maxAttempts: MAX_ATTEMPTS, jobKey: name },
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
      log.error({ err: error, job: name }, 'a timed job failed and will be retried');
      throw error;
    }
  };
}
