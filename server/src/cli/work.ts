import type { Config } from '../app/config.ts';
import { watchBackupAges } from '../app/backup-jobs.ts';
import { type Context, openContext } from '../app/context.ts';
import { openPlayingStore } from '../app/open-playing.ts';
import { watchPool } from '../app/watch.ts';
import { startWork, type WorkerDeps } from '../app/worker.ts';
import { callbackOrigin } from '../core/feeds/callback.ts';
import { SafeFetcher } from '../net/fetch/fetch-safely.ts';
import { stopOnSignals } from '../net/http/graceful-stop.ts';
import { listenPrivately } from '../net/http/listen/listen.ts';
import { Metrics } from '../net/http/metrics.ts';
import { Readiness } from '../net/http/readiness.ts';
import { refuseOldSchema } from '../storage/db/migrate.ts';
import { JobMetrics } from '../workers/runner/due-job.ts';
import { FleetHostLimiter } from '../workers/runner/fleet-host-limiter.ts';
import { catchUpSearch } from './catch-up-search.ts';
import { VERSION } from '../lib/version.ts';
import type { Command } from './command.ts';

const MAX_STATEMENT_MS = 60_000;

export const workCommand: Command = {
  usage: ['work'],
  summary:
    'keep the directory up to date: probe streams, read feeds and schedules, import STATION_SOURCES and back up daily',
  async run(_args, config) {
    await using opened = new AsyncDisposableStack();
    const { log, pool } = opened.use(
      openContext(config, { name: 'work', statementTimeoutMs: MAX_STATEMENT_MS, isService: true }),
    );
    await refuseOldSchema(pool);
    catchUpSearch({ pool, log });
    const {
      privateHost,
      workPort: privatePort,
      databaseUrl,
      feedConcurrency,
      probeConcurrency,
      logoConcurrency,
      backupFolder,
    } = config;
    const metrics = new Metrics();
    const readiness = new Readiness();
    watchPool(metrics, pool, config.databasePoolSize);
    opened.use(watchBackupAges(pool, metrics));
    const listeners = await listenPrivately({ privateHost, privatePort, readiness, metrics });
    const hostLimiter = opened.use(new FleetHostLimiter(databaseUrl));
    const playing = await openPlaying(config, { log, pool, hostLimiter }, opened);
    const work = startWork({
      pool,
      databaseUrl,
      log,
      metrics: new JobMetrics(metrics.registry),
      fetcher: new SafeFetcher({ hostLimiter }),
      feedConcurrency,
      probeConcurrency,
      logoConcurrency,
      hubOrigin: callbackOrigin(config),
      playing,
      sources: { configured: config.stationSources, absence: config },
      announced: config.yp === 'on',
      backups:
        backupFolder === undefined
          ? undefined
          : { folder: backupFolder, keep: config.backupKeep, version: VERSION },
    });
    opened.use(work);
    readiness.warmed();
    const songConcurrency = playing?.songConcurrency ?? 0;
    const concurrency = { feedConcurrency, probeConcurrency, logoConcurrency, songConcurrency };
    log.info({ privatePort: listeners.privatePort, ...concurrency }, 'working');
    const kept = opened.move();
    stopOnSignals({ readiness, listeners, log, graceSeconds: 0, dispose: () => kept.disposeAsync() });
  },
};

/** Undefined without Redis: then the serving processes poll the stations. */
async function openPlaying(
  { redisUrl, songConcurrency }: Config,
  { log, pool, hostLimiter }: Pick<Context, 'log' | 'pool'> & { hostLimiter: FleetHostLimiter },
  opened: AsyncDisposableStack,
): Promise<WorkerDeps['playing']> {
  if (redisUrl === undefined || songConcurrency === 0) return undefined;
  const store = opened.use(await openPlayingStore(redisUrl, { pool, log }));
  // Its own connections: a song that waits behind a hundred feeds is over.
  return { store, fetcher: new SafeFetcher({ hostLimiter }), songConcurrency };
}
