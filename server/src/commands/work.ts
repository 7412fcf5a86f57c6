import type { Config } from '../config.ts';
import { type Context, openContext } from '../context.ts';
import { refuseOldSchema } from '../db/migrate.ts';
import { stopOnSignals } from '../http/graceful-stop.ts';
import { listenPrivately } from '../http/listen.ts';
import { Metrics } from '../http/metrics.ts';
import { Readiness } from '../http/readiness.ts';
import { FleetSeats } from '../jobs/fleet-seats.ts';
import { JobMetrics } from '../jobs/job-metrics.ts';
import { SafeFetcher } from '../lib/fetch-safely/fetch-safely.ts';
import { openPlayingStore } from '../open-playing.ts';
import { type WorkerNeeds, startWork } from '../worker.ts';
import { callbackOrigin } from '../websub/callback.ts';
import { catchUpSearch } from './catch-up-search.ts';
import type { Command } from './command.ts';

const LONGEST_STATEMENT_MS = 60_000;

export const workCommand: Command = {
  usage: ['work'],
  summary: 'keep the directory fresh: read feeds and schedules and listen to streams when they are due',
  async run(_args, config) {
    await using opened = new AsyncDisposableStack();
    const { log, pool } = opened.use(
      openContext(config, { name: 'work', statementTimeoutMs: LONGEST_STATEMENT_MS }),
    );
    await refuseOldSchema(pool);
    catchUpSearch({ pool, log });
    const {
      privateHost,
      workPort: privatePort,
      databaseUrl,
      feedsAtOnce,
      probesAtOnce,
      logosAtOnce,
    } = config;
    const metrics = new Metrics();
    const readiness = new Readiness();
    const listeners = await listenPrivately({ privateHost, privatePort, readiness, metrics });
    const hostSeats = opened.use(new FleetSeats(databaseUrl));
    const playing = await openPlaying(config, { log, pool, hostSeats }, opened);
    const work = startWork({
      pool,
      databaseUrl,
      log,
      metrics: new JobMetrics(metrics.registry),
      fetcher: new SafeFetcher({ hostSeats }),
      feedsAtOnce,
      probesAtOnce,
      logosAtOnce,
      hubOrigin: callbackOrigin(config),
      playing,
    });
    opened.use(work);
    readiness.warmed();
    const stationsAtOnce = playing?.stationsAtOnce ?? 0;
    const atOnce = { feedsAtOnce, probesAtOnce, logosAtOnce, stationsAtOnce };
    log.info({ privatePort: listeners.privatePort, ...atOnce }, 'working');
    const kept = opened.move();
    stopOnSignals({ readiness, listeners, log, graceSeconds: 0, dispose: () => kept.disposeAsync() });
  },
};

/** Nothing without Redis: then whoever serves asks the stations. */
async function openPlaying(
  { redisUrl, stationsAtOnce }: Config,
  { log, pool, hostSeats }: Pick<Context, 'log' | 'pool'> & { hostSeats: FleetSeats },
  opened: AsyncDisposableStack,
): Promise<WorkerNeeds['playing']> {
  if (redisUrl === undefined || stationsAtOnce === 0) return undefined;
  const store = opened.use(await openPlayingStore(redisUrl, { pool, log }));
  // Connections of its own: a song that waits behind a hundred feeds is over.
  return { store, fetcher: new SafeFetcher({ hostSeats }), stationsAtOnce };
}
