/** A worker as `longwave work` is one, but for where it may go: to the farm and nowhere else. */
import { Registry } from 'prom-client';
import { readConfig } from '../../src/app/config.ts';
import { openContext } from '../../src/app/context.ts';
import { startWork } from '../../src/app/worker.ts';
import { type Fetched, SafeFetcher } from '../../src/net/fetch/fetch-safely.ts';
import { JobMetrics } from '../../src/workers/runner/due-job.ts';
import { FleetHostLimiter } from '../../src/workers/runner/fleet-host-limiter.ts';
import { farmPolicy } from './hosts.ts';

let fetchMs = 0;

class TimedFetcher extends SafeFetcher {
  override async fetch(...asked: Parameters<SafeFetcher['fetch']>): Promise<Fetched> {
    const started = performance.now();
    try {
      return await super.fetch(...asked);
    } finally {
      fetchMs += performance.now() - started;
    }
  }
}

const msOf = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000;

const [feedConcurrency = 0, leaseSeconds = 0] = process.argv.slice(2).map(Number);
const opened = new AsyncDisposableStack();
const config = readConfig();
const { log, pool } = opened.use(openContext(config, { name: 'work', statementTimeoutMs: 60_000 }));
const { databaseUrl } = config;
const hostLimiter = opened.use(new FleetHostLimiter(databaseUrl));
const fetcher = new TimedFetcher({ policy: farmPolicy, hostLimiter });
const metrics = new JobMetrics(new Registry());
const [whole, main] = [process.cpuUsage(), process.threadCpuUsage()];
opened.use(startWork({ log, pool, databaseUrl, fetcher, metrics, feedConcurrency, leaseSeconds }));
log.info({}, 'working');
const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
process.once('SIGTERM', () => stop());
// Whoever started the worker holds the other end, and closes it by ending.
process.stdin.resume().once('close', () => process.exit(1));
await stopped;
const cpuMs = msOf(process.cpuUsage(whole));
const mainCpuMs = msOf(process.threadCpuUsage(main));
await opened.disposeAsync();
log.info({ cpuMs, mainCpuMs, fetchMs }, 'worked');
log.flush(() => process.exit());
