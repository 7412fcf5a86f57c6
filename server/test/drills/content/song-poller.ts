/** A poller as `longwave work` has one, but for where it may go: to the stations of the drill and nowhere else. */
import { Registry } from 'prom-client';
import { readConfig } from '../../../src/app/config.ts';
import { openContext } from '../../../src/app/context.ts';
import { openPlayingStore, startPolling } from '../../../src/app/open-playing.ts';
import { SafeFetcher } from '../../../src/net/fetch/fetch-safely.ts';
import { JobMetrics } from '../../../src/workers/runner/due-job.ts';
import { FleetHostLimiter } from '../../../src/workers/runner/fleet-host-limiter.ts';
import { stationPolicy } from './song-stations.ts';

const [songConcurrency = 0, leaseMs = 0] = process.argv.slice(2).map(Number);
const opened = new AsyncDisposableStack();
const config = readConfig();
const { log, pool } = opened.use(openContext(config, { name: 'poller' }));
const hostLimiter = opened.use(new FleetHostLimiter(config.databaseUrl));
const fetcher = new SafeFetcher({ policy: stationPolicy, hostLimiter });
const metrics = new JobMetrics(new Registry());
const store = opened.use(await openPlayingStore(config.redisUrl, { pool, log }));
opened.use(startPolling({ store, pool, log, metrics, fetcher, songConcurrency, leaseMs }));
// Whoever started the poller holds the other end, and closes it by ending.
process.stdin.resume().once('close', () => process.exit(1));
process.once('SIGTERM', () => void opened.disposeAsync().then(() => process.exit()));
