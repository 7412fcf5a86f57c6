import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg';
import type { MetricValue } from 'prom-client';
import type { Directory } from '../core/directory/directory.ts';
import type { OnAirBoard } from '../core/directory/live/on-air-board.ts';
import type { Log } from '../lib/log.ts';
import type { Metrics } from '../net/http/metrics.ts';
import type { Readiness } from '../net/http/readiness.ts';
import { Traces, traceStatement } from '../net/traces.ts';
import type { Config } from './config.ts';
import { countHeard, countWorkerConnections, listImports } from '../storage/catalog/catalogue-health.ts';

/** The directory in memory: what it has, how old that is, and whether the database it comes from answers. */
export function watchDirectory(
  { metrics, readiness }: { metrics: Metrics; readiness: Readiness },
  directory: Directory,
  board?: OnAirBoard,
): void {
  const current = () => directory.current();
  readiness.watch('database', () => directory.isUpToDate());
  metrics.gauge('directory_version', 'Version of the catalogue in memory', () => current().version, 'min');
  metrics.gauge('directory_stations', 'Stations in the directory', () => current().stations.length, 'max');
  if (board) metrics.gauge('on_air_stations', 'Stations with a show on air', () => board.size, 'max');
  metrics.gauge(
    'directory_changed_timestamp_seconds',
    'When the catalogue in memory was last changed',
    () => current().changedAt.epochMilliseconds / 1000,
    'min',
  );
  metrics.gauge(
    'directory_checked_timestamp_seconds',
    'When the database was last asked whether the catalogue has changed',
    () => directory.checkedAtMs() / 1000,
    'min',
  );
  metrics.gauge(
    'database_up',
    '1 while the database answers, otherwise 0',
    () => Number(directory.isUpToDate()),
    'min',
  );
}

/** Each process by its name, such as `1/2`, where those of several are shown on one page. */
export function watchProcess(metrics: Metrics, name: string): void {
  metrics.values('memory_bytes', 'Resident memory of each process', 'gauge', () => [
    { labels: { process: name }, value: process.memoryUsage.rss() },
  ]);
}

/** The connections of the process to the database. */
export function watchPool(metrics: Metrics, pool: Pool, size: number): void {
  metrics.values('database_pool_connections', 'Open connections to the database', 'gauge', () => [
    { labels: { state: 'idle' }, value: pool.idleCount },
    { labels: { state: 'used' }, value: pool.totalCount - pool.idleCount },
  ]);
  metrics.gauge('database_pool_max_connections', 'Connections that may be open', () => size);
  metrics.gauge('database_pool_waiting', 'Calls that wait for a connection', () => pool.waitingCount);
}

interface CatalogueHealth {
  streams: { plays: number; silent: number; unchecked: number };
  workerConnections: number;
  imports: readonly { source: string; seconds: number }[];
}

const EVERY_MS = 60_000;

/**
 * What only the database knows: asked once a minute, not by each scrape. While it cannot be asked nothing is shown,
 * since a number of yesterday would keep an alert silent.
 */
export function watchCatalogueHealth(
  { metrics, pool, log, daily }: { metrics: Metrics; pool: Pool; log: Log; daily: ReadonlySet<string> },
  everyMs = EVERY_MS,
): Disposable {
  let latest: CatalogueHealth | undefined;
  const read = async (): Promise<void> => {
    try {
      latest = await readHealth(pool);
    } catch (err) {
      latest = undefined;
      log.debug({ err }, 'the health of the catalogue could not be read; trying again in a minute');
    }
  };
  metrics.values('streams', 'Listed streams, by how they sounded when last probed', 'gauge', () =>
    Object.entries(latest?.streams ?? {}).map(([state, value]) => ({ labels: { state }, value })),
  );
  metrics.values('worker_connections', 'Database connections of all longwave work', 'gauge', () =>
    latest ? [{ labels: {}, value: latest.workerConnections }] : [],
  );
  metrics.values(
    'import_last_success_timestamp_seconds',
    'When each source was last imported to its end; 0 for a daily one that never was',
    'gauge',
    () => importValues(latest?.imports, daily),
  );
  void read();
  return setInterval(() => void read(), everyMs).unref();
}

/** `daily` are those of STATION_SOURCES, which are late by themselves; others are imported when somebody wants to. */
function importValues(
  imports: CatalogueHealth['imports'] | undefined,
  daily: ReadonlySet<string>,
): MetricValue<string>[] {
  if (imports === undefined) return [];
  const times = new Map<string, number>([...daily].map((source) => [source, 0]));
  for (const { source, seconds } of imports) times.set(source, seconds);
  return Array.from(times, ([source, value]) => ({
    labels: { source, daily: `${daily.has(source)}` },
    value,
  }));
}

async function readHealth(pool: Pool): Promise<CatalogueHealth> {
  const { listed, checked, plays } = await countHeard(pool);
  const imports = await listImports(pool);
  return {
    streams: { plays, silent: checked - plays, unchecked: listed - checked },
    workerConnections: await countWorkerConnections(pool),
    imports: imports.map(({ source, imported_at: at }) => ({ source, seconds: at.epochMilliseconds / 1000 })),
  };
}

/** Traces, if a collector is configured: of calls, and of the statements they run. */
export function openTraces(
  { tracesUrl, tracesPercent }: Config,
  { metrics, pool, log }: { metrics: Metrics; pool: Pool; log: Log },
): Traces | undefined {
  if (tracesUrl === undefined) return undefined;
  const traces = new Traces({ url: tracesUrl, percent: tracesPercent, log });
  traceStatementsOf(pool);
  metrics.values('trace_spans_total', 'Spans by whether a collector took them', 'counter', () =>
    Object.entries(traces.counts).map(([outcome, value]) => ({ labels: { outcome }, value })),
  );
  return traces;
}

type Query = (config: QueryConfig | string, ...rest: unknown[]) => Promise<QueryResult>;

/**
 * Those on the pool itself, and those on a connection that a transaction has taken from it. Nothing is replaced while
 * there are no traces.
 */
function traceStatementsOf(pool: Pool): void {
  const query: Query = pool.query.bind(pool);
  const traced: Query = (config, ...rest) => traceStatement(nameOf(config), query(config, ...rest));
  Object.assign(pool, { query: traced });
  const known = new WeakSet<PoolClient>();
  pool.on('acquire', (client) => {
    if (known.has(client)) return;
    known.add(client);
    traceClient(client);
  });
}

function traceClient(client: PoolClient): void {
  const query: Query = client.query.bind(client);
  const traced: Query = (config, ...rest) => {
    const result = query(config, ...rest);
    // By a callback the pool asks for its own statements, which have their spans; a COPY is a stream and no promise.
    return result instanceof Promise ? traceStatement(nameOf(config), result) : result;
  };
  Object.assign(client, { query: traced });
}

/** A statement without a name is told by no more of its text than that a transaction begins or ends: values may be in it. */
const nameOf = (config: QueryConfig | string): string =>
  typeof config === 'string' ? unnamed(config) : (config.name ?? unnamed(config.text));

const unnamed = (text: string): string => /^(?:BEGIN|COMMIT|ROLLBACK)\b/.exec(text)?.[0] ?? 'query';
