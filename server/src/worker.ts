import type { Pool } from 'pg';
import { forgetSongsJob } from './air/forget-songs.ts';
import { type DueSchedule, claimSchedules } from './catalog/due-schedules.ts';
import { crawlJob } from './crawl/crawl.ts';
import type { ParseOutcome, ParseTask } from './crawl/parse-thread.ts';
import { type DueJob, DueLoop, type JobSurroundings } from './jobs/due-job.ts';
import { type TimedJob, TimedJobs } from './jobs/timed.ts';
import { systemClock } from './lib/clock.ts';
import type { SafeFetcher } from './lib/fetch-safely/fetch-safely.ts';
import { guideId } from './lib/guide-id.ts';
import { Threads } from './lib/threads.ts';
import { forgetPicturesJob, pictureJob } from './pictures/picture-job.ts';
import { Press } from './pictures/press/press.ts';
import { probeJob } from './probe/probe.ts';
import { announceJob, enlistJob } from './probe/timed-jobs.ts';
import { type PollingNeeds, startPolling } from './open-playing.ts';
import { keepSchedulesGoing } from './schedules/keep-going.ts';
import { refreshSchedule } from './schedules/refresh.ts';
import { hubJob } from './websub/ask-hub.ts';

export interface WorkerNeeds extends JobSurroundings {
  pool: Pool;
  databaseUrl: string;
  fetcher: SafeFetcher;
  feedsAtOnce: number;
  /** 0, or nothing: no stream is listened to. */
  probesAtOnce?: number | undefined;
  /** 0, or nothing: no picture is fetched. */
  logosAtOnce?: number | undefined;
  /** How long a feed waits whose worker has died, and a stream between two looks at it. */
  leaseSeconds?: number | undefined;
  /** Where hubs reach this service; without it none is asked. */
  hubOrigin?: string | undefined;
  /** What processes share of songs; without it each that serves finds out for itself. */
  playing?: Pick<PollingNeeds, 'store' | 'fetcher' | 'stationsAtOnce'> | undefined;
}

/** The list of jobs, all at work until disposed of. */
export function startWork(needs: WorkerNeeds): AsyncDisposable {
  const opened = new AsyncDisposableStack();
  const { pool, databaseUrl, fetcher, feedsAtOnce, leaseSeconds, hubOrigin } = needs;
  const { probesAtOnce = 0, logosAtOnce = 0 } = needs;
  const threads = opened.use(
    new Threads<ParseTask, ParseOutcome>(new URL('crawl/parse-thread.ts', import.meta.url)),
  );
  const reading = { pool, fetcher, threads, clock: systemClock, chance: Math.random };
  opened.use(new TimedJobs(timedJobs(needs), databaseUrl, needs));
  opened.use(new DueLoop(crawlJob(reading, { atOnce: feedsAtOnce, leaseSeconds }), needs));
  opened.use(new DueLoop(scheduleJob(needs), needs));
  if (probesAtOnce > 0) {
    const probing = { pool, fetcher, clock: systemClock, log: needs.log, chance: Math.random };
    opened.use(new DueLoop(probeJob(probing, { atOnce: probesAtOnce, restSeconds: leaseSeconds }), needs));
  }
  if (logosAtOnce > 0) {
    const press = opened.use(new Press());
    const looking = { pool, fetcher, press, clock: systemClock, chance: Math.random };
    opened.use(new DueLoop(pictureJob(looking, { atOnce: logosAtOnce }), needs));
  }
  if (needs.playing) opened.use(startPolling({ ...needs, ...needs.playing }));
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

const timedJobs = ({ pool, log, probesAtOnce = 0 }: WorkerNeeds): TimedJob[] => [
  announceJob({ pool, log }),
  forgetPicturesJob({ pool }),
  forgetSongsJob({ pool }),
  ...(probesAtOnce > 0 ? [enlistJob({ pool, log })] : []),
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
