/** A poller as `longwave work` has one, but for where it may go: to the stations of the drill and nowhere else. */
import { Registry } from 'prom-client';
import { readConfig } from '../../src/config.ts';
import { openContext } from '../../src/context.ts';
import { FleetSeats } from '../../src/jobs/fleet-seats.ts';
import { JobMetrics } from '../../src/jobs/job-metrics.ts';
import { SafeFetcher } from '../../src/lib/fetch-safely/fetch-safely.ts';
import { openPlayingStore, startPolling } from '../../src/open-playing.ts';
import { stationPolicy } from './song-stations.ts';

const [stationsAtOnce = 0, leaseMs = 0] = process.argv.slice(2).map(Number);
const opened = new AsyncDisposableStack();
const config = readConfig();
const { log, pool } = opened.use(openContext(config, { name: 'poller' }));
const hostSeats = opened.use(new FleetSeats(config.databaseUrl));
const fetcher = new SafeFetcher({ policy: stationPolicy, hostSeats });
const metrics = new JobMetrics(new Registry());
const store = opened.use(await openPlayingStore(config.redisUrl, { pool, log }));
opened.use(startPolling({ store, pool, log, metrics, fetcher, stationsAtOnce, leaseMs }));
// Whoever started the poller holds the other end, and closes it by ending.
process.stdin.resume().once('close', () => process.exit(1));
process.once('SIGTERM', () => void opened.disposeAsync().then(() => process.exit()));
