import type { Pool } from 'pg';
import { type DueSchedule, claimSchedules } from './catalog/due-schedules.ts';
import { crawlJob } from './crawl/crawl.ts';
import type { ParseOutcome, ParseTask } from './crawl/parse-thread.ts';
import { type DueJob, DueLoop, type JobSurroundings } from './jobs/due-job.ts';
import { type TimedJob, TimedJobs } from './jobs/timed.ts';
import { systemClock } from './lib/clock.ts';
import type { SafeFetcher } from './lib/fetch-safely/fetch-safely.ts';
import { guideId } from './lib/guide-id.ts';
import { Threads } from './lib/threads.ts';
import { keepSchedulesGoing } from './schedules/keep-going.ts';
import { refreshSchedule } from './schedules/refresh.ts';
import { hubJob } from './websub/ask-hub.ts';

export interface WorkerNeeds extends JobSurroundings {
  pool: Pool;
  databaseUrl: string;
  fetcher: SafeFetcher;
  feedsAtOnce: number;
  /** How long a feed waits whose worker has died. */
  leaseSeconds?: number | undefined;
  /** Where hubs reach this service; without it none is asked. */
  hubOrigin?: string | undefined;
}

/** The list of jobs, all at work until disposed of. */
export function startWork(needs: WorkerNeeds): AsyncDisposable {
  const opened = new AsyncDisposableStack();
  const { pool, databaseUrl, fetcher, feedsAtOnce, leaseSeconds, hubOrigin } = needs;
  const threads = opened.use(
    new Threads<ParseTask, ParseOutcome>(new URL('crawl/parse-thread.ts', import.meta.url)),
  );
  const reading = { pool, fetcher, threads, clock: systemClock, chance: Math.random };
  opened.use(new TimedJobs(timedJobs(needs), databaseUrl, needs));
  opened.use(new DueLoop(crawlJob(reading, { atOnce: feedsAtOnce, leaseSeconds }), needs));
  opened.use(new DueLoop(scheduleJob(needs), needs));
  if (hubOrigin !== undefined)
    opened.use(new DueLoop(hubJob({ db: pool, fetcher, origin: hubOrigin }), needs));
  return opened;
}

const SCHEDULES_AT_ONCE = 5;
const SCHEDULE_LEASE_SECONDS = 300;

const scheduleJob = ({ pool, fetcher, log }: WorkerNeeds): DueJob<DueSchedule> => ({
  name: 'schedules',
  atOnce: SCHEDULES_AT_ONCE,
  idOf: ({ stationId }) => guideId('s', stationId),
  claim: (most) => claimSchedules(pool, most, SCHEDULE_LEASE_SECONDS),
  work: (due, { cut }) => refreshSchedule({ pool, fetcher, clock: systemClock, log }, due, cut),
});

const timedJobs = ({ pool, log }: WorkerNeeds): TimedJob[] => [
  {
    name: 'keep-schedules-going',
    at: '17 3 * * *',
    async work(signal) {
      const done = await keepSchedulesGoing({ pool, clock: systemClock, log }, signal);
      log.info(done, 'schedules go on');
      return 'done';
    },
  },
];
