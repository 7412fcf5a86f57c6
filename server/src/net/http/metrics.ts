import {
  AggregatorRegistry,
  collectDefaultMetrics,
  Counter,
  type Metric,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client';
import { readBuildInfo } from '../../lib/version.ts';

/** What a process has counted, as it can be sent to another one. */
export type MetricsReport = (MetricObjectWithValues<MetricValue<string>> & { values: CountedValue[] })[];

/** A histogram names each of its rows. */
type CountedValue = MetricValue<string> & { metricName?: string };

/** What is scraped. */
export interface MetricsPage {
  readonly contentType: string;
  text(): Promise<string>;
}

/** Metrics of the process, in Prometheus format. */
export class Metrics implements MetricsPage {
  readonly registry = new Registry();
  readonly #calls = new CallTally();
  readonly #caches = new Map<string, () => CacheUse>();
  readonly #shed = new Counter({
    name: 'shed_total',
    help: 'Calls refused because of rate limits or overload',
    labelNames: ['reason'],
    registers: [this.registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    for (const name of MISNAMED) this.registry.removeSingleMetric(name);
    this.#calls.register(this);
    const build = { ...readBuildInfo() };
    const isBuilt = () => [{ labels: build, value: 1 }];
    this.values('build_info', 'The release, its commit and Node', 'gauge', isBuilt, 'first');
    this.#registerCaches();
  }

  observe(outcome: Outcome, seconds: number): void {
    this.#calls.add(outcome, seconds);
  }

  countShed(reason: 'in_flight' | 'rate_limit'): void {
    this.#shed.inc({ reason });
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  /** Everything, as Prometheus reads it. */
  async text(): Promise<string> {
    return withPrefix(await this.registry.metrics());
  }

  /** The same for another process. */
  async report(): Promise<MetricsReport> {
    return await this.registry.getMetricsAsJSON();
  }

  /** Those of several processes, added up. */
  textOf(reports: readonly MetricsReport[]): Promise<string> {
    return AggregatorRegistry.aggregate([...reports])
      .metrics()
      .then(withPrefix);
  }

  /** A value read on each scrape, such as the version of the directory in memory. */
  gauge(name: string, help: string, read: () => number, ofSeveral?: OfSeveral): void {
    this.values(name, help, 'gauge', () => [{ labels: {}, value: read() }], ofSeveral);
  }

  /** Values with labels, read on each scrape; the registry only needs a name and a way to read them. */
  values(
    name: string,
    help: string,
    type: MetricKind,
    read: () => MetricValue<string>[],
    aggregator: OfSeveral = 'sum',
  ): void {
    const get = async () => ({ name, help, type, values: read(), aggregator });
    // oxlint-disable-next-line no-unsafe-type-assertion -- the library's type names classes; it asks for no more than this
    this.registry.registerMetric({ name, get } as unknown as Metric);
  }

  /** Shows how well a cache in memory does its work. */
  watchCache(cache: string, read: () => CacheUse): void {
    this.#caches.set(cache, read);
  }

  #registerCaches(): void {
    for (const [value, name, help, kind] of CACHE_VALUES)
      this.values(name, help, kind, () =>
        Array.from(this.#caches, ([cache, read]) => ({ labels: { cache }, value: read()[value] })),
      );
  }
}

/** What the value of several processes is: what each has for itself is added up, what all know is not. */
export type OfSeveral = 'sum' | 'first' | 'min' | 'max';

type MetricKind = 'counter' | 'gauge' | 'histogram';

/** Counts since the process started, and what the cache holds now. */
export interface CacheUse {
  hits: number;
  misses: number;
  entries: number;
  bytes: number;
  maxBytes: number;
}

const CACHE_VALUES = [
  ['hits', 'cache_hits_total', 'Lookups that found an entry', 'counter'],
  ['misses', 'cache_misses_total', 'Lookups that found none', 'counter'],
  ['entries', 'cache_entries', 'Entries in the cache', 'gauge'],
  ['bytes', 'cache_size_bytes', 'Memory that the entries count for', 'gauge'],
  ['maxBytes', 'cache_max_size_bytes', 'Memory that the cache may take', 'gauge'],
] as const;

/** Gauges of the library whose names end like a counter's; each is the sum of the one without `_total`. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

/** Metrics of the library, which every Node.js service names alike. */
const OF_THE_RUNTIME = /^(?:# (?:HELP|TYPE) )?(?:process|nodejs)_/;

/** Metrics that there were before ours had a prefix; their old names are kept for one release. */
const FORMERLY =
  /^(?:# (?:HELP|TYPE) )?(?:http_request|shed_total|inflight|directory_(?:version|stations)|(?:on_air|playing)_stations|jobs?_|websub_)/;

/** Adds `longwave_` to our own metrics, so that a dashboard of many services can tell them apart. */
function withPrefix(text: string): string {
  const lines = text.split('\n').filter((line) => line !== '');
  const ours = lines.filter((line) => !OF_THE_RUNTIME.test(line));
  const prefixed = ours.map((line) => line.replace(/^(# (?:HELP|TYPE) )?/, '$1longwave_'));
  const unprefixed = lines.filter((line) => OF_THE_RUNTIME.test(line) || FORMERLY.test(line));
  return `${[...prefixed, ...unprefixed].join('\n')}\n`;
}

/** One answered call. Labels come from our own tables, never from the caller, who could invent millions. */
export interface Outcome {
  route: string;
  c: string;
  status: number;
  opmlStatus: number;
}

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

const SECONDS = 'http_request_duration_seconds';

interface Durations {
  /** Calls by the first bucket they fit in; the last bucket has no upper bound. */
  counts: number[];
  sum: number;
}

/**
 * Counts calls in plain numbers and converts them to Prometheus format when scraped. The library's own counter and
 * histogram look up their labels by a concatenated string, twice per call.
 */
class CallTally {
  readonly #calls = new Map<string, Map<string, { outcome: Outcome; count: number }>>();
  readonly #durations = new Map<string, Durations>();

  add(outcome: Outcome, seconds: number): void {
    const { route, c, status, opmlStatus } = outcome;
    let calls = this.#calls.get(route);
    if (!calls) this.#calls.set(route, (calls = new Map()));
    const key = status === 200 && opmlStatus === 200 ? c : `${c} ${status} ${opmlStatus}`;
    const entry = calls.get(key);
    if (entry) entry.count += 1;
    else calls.set(key, { outcome: { route, c, status, opmlStatus }, count: 1 });
    this.#addDuration(route, seconds);
  }

  #addDuration(route: string, seconds: number): void {
    let durations = this.#durations.get(route);
    if (!durations) {
      durations = { counts: Array.from({ length: BUCKETS.length + 1 }, () => 0), sum: 0 };
      this.#durations.set(route, durations);
    }
    let bucket = 0;
    while (bucket < BUCKETS.length && seconds > BUCKETS[bucket]!) bucket += 1;
    durations.counts[bucket]! += 1;
    durations.sum += seconds;
  }

  register(metrics: Metrics): void {
    metrics.values('http_requests_total', 'Answered calls', 'counter', () => this.#callValues());
    const help = 'Time from reading a call to sending its answer';
    metrics.values(SECONDS, help, 'histogram', () => this.#durationValues());
  }

  #callValues(): MetricValue<string>[] {
    return [...this.#calls.values()].flatMap((calls) =>
      [...calls.values()].map(({ outcome: { route, c, status, opmlStatus }, count }) => ({
        labels: { route, c, status, opml_status: opmlStatus },
        value: count,
      })),
    );
  }

  #durationValues(): MetricValue<string>[] {
    return [...this.#durations].flatMap(([route, { counts, sum }]) => {
      let count = 0;
      const buckets = counts.map((inBucket, index) => {
        count += inBucket;
        const le = BUCKETS[index] ?? '+Inf';
        return { metricName: `${SECONDS}_bucket`, labels: { le, route }, value: count };
      });
      return [
        ...buckets,
        { metricName: `${SECONDS}_sum`, labels: { route }, value: sum },
        { metricName: `${SECONDS}_count`, labels: { route }, value: count },
      ];
    });
  }
}
