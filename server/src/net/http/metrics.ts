import { collectDefaultMetrics, Counter, Gauge, type Metric, type MetricValue, Registry } from 'prom-client';

/** Metrics of the process, in Prometheus format. */
export class Metrics {
  readonly registry = new Registry();
  readonly #calls = new CallTally();
  readonly #shed = new Counter({
    name: 'shed_total',
    help: 'Calls refused because of rate limits or overload',
    labelNames: ['reason'],
    registers: [this.registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    this.#calls.register(this.registry);
  }

  observe(outcome: Outcome, seconds: number): void {
    this.#calls.add(outcome, seconds);
  }

  countShed(reason: 'in_flight' | 'rate_limit'): void {
    this.#shed.inc({ reason });
  }

  /** Everything, as Prometheus reads it. */
  async text(): Promise<string> {
    return withPrefix(await this.registry.metrics());
  }

  /** A value read on each scrape, such as the version of the directory in memory. */
  gauge(name: string, help: string, read: () => number): void {
    const collect = function collect(this: Gauge): void {
      this.set(read());
    };
    this.registry.registerMetric(new Gauge({ name, help, registers: [], collect }));
  }
}

/** Metrics of the library, which every Node.js service names alike. */
const OF_THE_RUNTIME = /^(?:# (?:HELP|TYPE) )?(?:process|nodejs)_/;

/**
 * Adds `longwave_` to our own metrics, so that a dashboard of many services can tell them apart. The names without it are
 * kept for one release.
 */
function withPrefix(text: string): string {
  const lines = text.split('\n').filter((line) => line !== '');
  const ours = lines.filter((line) => !OF_THE_RUNTIME.test(line));
  const prefixed = ours.map((line) => line.replace(/^(# (?:HELP|TYPE) )?/, '$1longwave_'));
  return `${[...prefixed, ...lines].join('\n')}\n`;
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

  /** The registry only needs a name and a way to read the values. */
  register(registry: Registry): void {
    const add = (name: string, help: string, type: string, values: () => MetricValue<string>[]): void => {
      const get = async () => ({ name, help, type, values: values(), aggregator: 'sum' });
      // oxlint-disable-next-line no-unsafe-type-assertion -- the library's type names classes; it asks for no more than this
      registry.registerMetric({ name, get } as unknown as Metric);
    };
    add('http_requests_total', 'Answered calls', 'counter', () => this.#callValues());
    const help = 'Time from reading a call to sending its answer';
    add(SECONDS, help, 'histogram', () => this.#durationValues());
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
