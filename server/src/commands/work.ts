import { openContext } from '../context.ts';
import { refuseOldSchema } from '../db/migrate.ts';
import { stopOnSignals } from '../http/graceful-stop.ts';
import { listenPrivately } from '../http/listen.ts';
import { Metrics } from '../http/metrics.ts';
import { Readiness } from '../http/readiness.ts';
import { FleetSeats } from '../jobs/fleet-seats.ts';
import { JobMetrics } from '../jobs/job-metrics.ts';
import { SafeFetcher } from '../lib/fetch-safely/fetch-safely.ts';
import { startWork } from '../worker.ts';
import { callbackOrigin } from '../websub/callback.ts';
import type { Command } from './command.ts';

const LONGEST_STATEMENT_MS = 60_000;

export const workCommand: Command = {
  usage: ['work'],
  summary: 'keep the directory fresh: read feeds and schedules when they are due',
  async run(_args, config) {
    await using opened = new AsyncDisposableStack();
    const { log, pool } = opened.use(
      openContext(config, { name: 'work', statementTimeoutMs: LONGEST_STATEMENT_MS }),
    );
    await refuseOldSchema(pool);
    const { privateHost, workPort: privatePort, databaseUrl, feedsAtOnce } = config;
    const metrics = new Metrics();
    const readiness = new Readiness();
    const listeners = await listenPrivately({ privateHost, privatePort, readiness, metrics });
    const hostSeats = opened.use(new FleetSeats(databaseUrl));
    const work = startWork({
      pool,
      databaseUrl,
      log,
      metrics: new JobMetrics(metrics.registry),
      fetcher: new SafeFetcher({ hostSeats }),
      feedsAtOnce,
      hubOrigin: callbackOrigin(config),
    });
    opened.use(work);
    readiness.warmed();
    log.info({ privatePort: listeners.privatePort, feedsAtOnce }, 'working');
    const kept = opened.move();
    stopOnSignals({ readiness, listeners, log, graceSeconds: 0, dispose: () => kept.disposeAsync() });
  },
};
