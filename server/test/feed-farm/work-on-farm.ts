/** A worker as `longwave work` is one, but for where it may go: to the farm and nowhere else. */
import { Registry } from 'prom-client';
import { readConfig } from '../../src/config.ts';
import { openContext } from '../../src/context.ts';
import { FleetSeats } from '../../src/jobs/fleet-seats.ts';
import { JobMetrics } from '../../src/jobs/job-metrics.ts';
import { type Fetched, SafeFetcher } from '../../src/lib/fetch-safely/fetch-safely.ts';
import { startWork } from '../../src/worker.ts';
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

const [feedsAtOnce = 0, leaseSeconds = 0] = process.argv.slice(2).map(Number);
const opened = new AsyncDisposableStack();
const config = readConfig();
const { log, pool } = opened.use(openContext(config, { name: 'work', statementTimeoutMs: 60_000 }));
const { databaseUrl } = config;
const hostSeats = opened.use(new FleetSeats(databaseUrl));
const fetcher = new TimedFetcher({ policy: farmPolicy, hostSeats });
const metrics = new JobMetrics(new Registry());
const [whole, main] = [process.cpuUsage(), process.threadCpuUsage()];
opened.use(startWork({ log, pool, databaseUrl, fetcher, metrics, feedsAtOnce, leaseSeconds }));
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
