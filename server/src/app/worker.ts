import type { Pool } from 'pg';
import { systemClock } from '../lib/clock.ts';
import { guideId } from '../lib/guide-id.ts';
import { Threads } from '../lib/threads.ts';
import type { AbsenceRules } from '../import/pipeline/import-stations.ts';
import { importSuggested } from '../import/sources/suggested/import-suggested.ts';
import type { SafeFetcher } from '../net/fetch/fetch-safely.ts';
import { publicInternet } from '../net/fetch/policy.ts';
import { claimSchedules, type DueSchedule } from '../storage/catalog/schedules/due-schedules.ts';
import { createPool } from '../storage/db/pool.ts';
import { hubJob } from '../workers/feeds/ask-hub.ts';
import { crawlJob } from '../workers/feeds/crawl.ts';
import type { ParseOutcome, ParseTask } from '../workers/feeds/parse-thread.ts';
import { purgePicturesJob, pictureJob } from '../workers/images/picture-job.ts';
import { ImageWorker } from '../workers/images/resize/image-worker.ts';
import { purgeSongsJob } from '../workers/polling/now-playing.ts';
import { announcedJob } from '../workers/probe/listen-to-announced.ts';
import { suggestedJob } from '../workers/probe/listen-to-suggested.ts';
import { probeJob } from '../workers/probe/probe.ts';
import { announceJob, scheduleStreamsJob } from '../workers/probe/timed-jobs.ts';
import { type DueJob, DueLoop, type JobSurroundings } from '../workers/runner/due-job.ts';
import { type TimedJob, TimedJobs } from '../workers/runner/timed.ts';
import { maintainSchedules } from '../workers/schedules/maintain-schedules.ts';
import { refreshSchedule } from '../workers/schedules/refresh.ts';
import { announcedStationsJobs } from './announced-stations.ts';
import { type BackupJobs, backupJobs } from './backup-jobs.ts';
import { type PollingDeps, startPolling } from './open-playing.ts';
import type { ConfiguredSource } from './settings/source-settings.ts';
import { sourceJob } from './station-sources.ts';

export interface WorkerDeps extends JobSurroundings {
  pool: Pool;
  databaseUrl: string;
  fetcher: SafeFetcher;
  feedConcurrency: number;
  /** 0 or unset: no stream is probed. */
  probeConcurrency?: number | undefined;
  /** 0 or unset: no logo is fetched. */
  logoConcurrency?: number | undefined;
  /** How long a crashed worker's feeds wait for another worker, and a stream between two probes. */
  leaseSeconds?: number | undefined;
  /** Where hubs reach this service; without it none is subscribed to. */
  hubOrigin?: string | undefined;
  /** Lists of stations that are imported again every day. */
  sources?:
    | { configured: readonly ConfiguredSource[]; absence: Omit<AbsenceRules, 'acceptDrop'> }
    | undefined;
  /** Stations that their servers announce are listened to, and listed. */
  announced?: boolean | undefined;
  /** Where backups are made every day; without it none is. */
  backups?: BackupJobs | undefined;
  /** The shared store of songs; without it each serving process polls for itself. */
  playing?: Pick<PollingDeps, 'store' | 'fetcher' | 'songConcurrency'> | undefined;
}

/** Starts all background jobs; they run until disposed of. */
export function startWork(deps: WorkerDeps): AsyncDisposable {
  const opened = new AsyncDisposableStack();
  const { pool, databaseUrl, fetcher, feedConcurrency, leaseSeconds, hubOrigin } = deps;
  const { probeConcurrency = 0, logoConcurrency = 0 } = deps;
  const threads = opened.use(
    new Threads<ParseTask, ParseOutcome>(new URL('../workers/feeds/parse-thread.ts', import.meta.url)),
  );
  const reading = { pool, fetcher, threads, clock: systemClock, chance: Math.random };
  opened.use(new TimedJobs(timedJobs(deps), databaseUrl, deps));
  opened.use(new DueLoop(crawlJob(reading, { concurrency: feedConcurrency, leaseSeconds }), deps));
  opened.use(new DueLoop(scheduleJob(deps), deps));
  if (probeConcurrency > 0) {
    const probing = { pool, fetcher, clock: systemClock, log: deps.log, chance: Math.random };
    opened.use(
      new DueLoop(probeJob(probing, { concurrency: probeConcurrency, restSeconds: leaseSeconds }), deps),
    );
  }
  if (logoConcurrency > 0) {
    const imageWorker = opened.use(new ImageWorker());
    const looking = { pool, fetcher, imageWorker, clock: systemClock, chance: Math.random };
    opened.use(new DueLoop(pictureJob(looking, { concurrency: logoConcurrency }), deps));
  }
  startSources(deps, opened);
  // Jobs of their own: a dump or an import takes minutes, for which the others must not wait.
  const slow = [...startListening(deps, opened), ...(deps.backups ? backupJobs(deps.backups, deps) : [])];
  if (slow.length > 0) opened.use(new TimedJobs(slow, databaseUrl, deps));
  if (deps.playing) opened.use(startPolling({ ...deps, ...deps.playing }));
  if (hubOrigin !== undefined)
    opened.use(new DueLoop(hubJob({ db: pool, fetcher, origin: hubOrigin }), deps));
  return opened;
}

/** As long as those of an import that an operator starts. */
const IMPORT_STATEMENT_MS = 600_000;

function startSources(
  { sources, databaseUrl, fetcher, ...deps }: WorkerDeps,
  opened: AsyncDisposableStack,
): void {
  if (sources === undefined || sources.configured.length === 0) return;
  const { configured, absence } = sources;
  const pool = importPool(databaseUrl, opened);
  const { log, pool: claimPool } = deps;
  const refreshing = { pool, claimPool, fetcher, clock: systemClock, log, chance: Math.random, absence };
  opened.use(new DueLoop(sourceJob(refreshing, configured), deps));
}

function importPool(databaseUrl: string, opened: AsyncDisposableStack): Pool {
  const pool = createPool({
    databaseUrl,
    size: 2,
    applicationName: 'longwave sources',
    statementTimeoutMs: IMPORT_STATEMENT_MS,
    // Nobody waits for it, and a failure costs ten minutes.
    connectTimeoutMs: 20_000,
  });
  opened.defer(() => pool.end());
  return pool;
}

/** Lists the suggested stations that operators accepted. */
const suggestedStationsJob = (deps: Pick<WorkerDeps, 'pool' | 'log'>): TimedJob => ({
  name: 'list-suggested',
  at: '* * * * *',
  work: async () => ((await importSuggested(deps)) > 0 ? 'listed' : 'nothing'),
});

/** Listens to streams that listeners suggest and servers announce; returns the jobs that list them. */
function startListening(deps: WorkerDeps, opened: AsyncDisposableStack): TimedJob[] {
  const { announced = false, probeConcurrency = 0, sources, databaseUrl, fetcher, log } = deps;
  if (probeConcurrency === 0 || sources === undefined) return [];
  const { resolve } = publicInternet;
  const pool = importPool(databaseUrl, opened);
  opened.use(new DueLoop(suggestedJob({ db: deps.pool, fetcher }), deps));
  if (!announced) return [suggestedStationsJob({ pool, log })];
  opened.use(new DueLoop(announcedJob({ db: deps.pool, fetcher, resolve }), deps));
  return [
    suggestedStationsJob({ pool, log }),
    ...announcedStationsJobs({ pool, log, absence: sources.absence }),
  ];
}

const SCHEDULE_CONCURRENCY = 5;
const SCHEDULE_LEASE_SECONDS = 300;

const scheduleJob = ({ pool, fetcher, log }: WorkerDeps): DueJob<DueSchedule> => ({
  name: 'schedules',
  concurrency: SCHEDULE_CONCURRENCY,
  idOf: ({ stationId }) => guideId('s', stationId),
  claim: (most) => claimSchedules(pool, most, SCHEDULE_LEASE_SECONDS),
  work: (due, { cut }) => refreshSchedule({ pool, fetcher, clock: systemClock, log }, due, cut),
});

const timedJobs = ({ pool, log, probeConcurrency = 0 }: WorkerDeps): TimedJob[] => [
  announceJob({ pool, log }),
  purgePicturesJob({ pool }),
  purgeSongsJob({ pool }),
  ...(probeConcurrency > 0 ? [scheduleStreamsJob({ pool, log })] : []),
  {
    name: 'keep-schedules-going',
    at: '17 3 * * *',
    async work(signal) {
      const done = await maintainSchedules({ pool, clock: systemClock, log }, signal);
      log.info(done, 'schedules extended by their rules');
      return 'done';
    },
  },
];
