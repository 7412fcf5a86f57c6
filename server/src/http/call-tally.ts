import type { Metric, MetricValue, Registry } from 'prom-client';

/** One answered call. The labels come from tables of ours, never from the caller, who could invent millions. */
export interface Outcome {
  route: string;
  c: string;
  status: number;
  opmlStatus: number;
}

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

const SECONDS = 'http_request_duration_seconds';

interface Durations {
  /** Calls by the first bucket they fit in; the last is for those that fit in none. */
  counts: number[];
  sum: number;
}

/**
 * Counts answered calls in plain numbers and becomes Prometheus' form only when somebody asks. The library's own counter
 * and histogram look their labels up by a text made of them, twice a call.
 */
export class CallTally {
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

  /** The registry asks a metric for its name and, when it is read, for its values. */
  register(registry: Registry): void {
    const add = (name: string, help: string, type: string, values: () => MetricValue<string>[]): void => {
      const get = async () => ({ name, help, type, values: values(), aggregator: 'sum' });
      // oxlint-disable-next-line no-unsafe-type-assertion -- the library's type names classes; it asks for no more than this
      registry.registerMetric({ name, get } as unknown as Metric);
    };
    add('http_requests_total', 'Answered calls', 'counter', () => this.#callValues());
    const help = 'From the call read to the answer handed over';
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
