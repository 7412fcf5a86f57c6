/** A worker as `longwave work` is one, but for where it may go: to the farm and nowhere else. */
import { createInterface } from 'node:readline';
import { Registry } from 'prom-client';
import { readConfig } from '../../src/config.ts';
import { openContext } from '../../src/context.ts';
import { FleetSeats } from '../../src/jobs/fleet-seats.ts';
import { JobMetrics } from '../../src/jobs/job-metrics.ts';
import { SafeFetcher } from '../../src/lib/fetch-safely/fetch-safely.ts';
import { startWork } from '../../src/worker.ts';
import { farmPolicy } from '../feed-farm/hosts.ts';

const [probesAtOnce = 0, leaseSeconds = 0] = process.argv.slice(2).map(Number);
const opened = new AsyncDisposableStack();
const config = readConfig();
const { log, pool } = opened.use(openContext(config, { name: 'work', statementTimeoutMs: 60_000 }));
const { databaseUrl } = config;
const hostSeats = opened.use(new FleetSeats(databaseUrl));
const fetcher = new SafeFetcher({ policy: farmPolicy, hostSeats });
const metrics = new JobMetrics(new Registry());
opened.use(
  startWork({ log, pool, databaseUrl, fetcher, metrics, feedsAtOnce: 1, probesAtOnce, leaseSeconds }),
);
log.info({}, 'working');
// Asked by a line, it says what it took so far.
createInterface({ input: process.stdin })
  .on('line', () => {
    const { user, system } = process.cpuUsage();
    log.info({ cpuMs: (user + system) / 1000, rssMegabytes: process.memoryUsage.rss() / 2 ** 20 }, 'took');
  })
  // Whoever started the worker holds the other end, and closes it by ending.
  .once('close', () => process.exit(1));
const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
process.once('SIGTERM', () => stop());
await stopped;
await opened.disposeAsync();
log.flush(() => process.exit());
