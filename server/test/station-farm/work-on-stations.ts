/** A worker as `longwave work` is one, but for where it may go: to the farm and nowhere else. */
import { createInterface } from 'node:readline';
import { Registry } from 'prom-client';
import { readConfig } from '../../src/app/config.ts';
import { openContext } from '../../src/app/context.ts';
import { startWork } from '../../src/app/worker.ts';
import { SafeFetcher } from '../../src/net/fetch/fetch-safely.ts';
import { JobMetrics } from '../../src/workers/runner/due-job.ts';
import { FleetHostLimiter } from '../../src/workers/runner/fleet-host-limiter.ts';
import { farmPolicy } from '../feed-farm/hosts.ts';

const [probeConcurrency = 0, leaseSeconds = 0] = process.argv.slice(2).map(Number);
const opened = new AsyncDisposableStack();
const config = readConfig();
const { log, pool } = opened.use(openContext(config, { name: 'work', statementTimeoutMs: 60_000 }));
const { databaseUrl } = config;
const hostLimiter = opened.use(new FleetHostLimiter(databaseUrl));
const fetcher = new SafeFetcher({ policy: farmPolicy, hostLimiter });
const metrics = new JobMetrics(new Registry());
opened.use(
  startWork({ log, pool, databaseUrl, fetcher, metrics, feedConcurrency: 1, probeConcurrency, leaseSeconds }),
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
