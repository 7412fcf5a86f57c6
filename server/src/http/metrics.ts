import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

/** One answered call. The labels come from tables of ours, never from the caller, who could invent millions. */
export interface Outcome {
  route: string;
  c: string;
  status: number;
  opmlStatus: number;
}

const LATENCY_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** What the process counts about itself, in the form Prometheus reads. */
export class Metrics {
  readonly registry = new Registry();
  readonly #requests = new Counter({
    name: 'http_requests_total',
    help: 'Answered calls',
    labelNames: ['route', 'c', 'status', 'opml_status'],
    registers: [this.registry],
  });
  readonly #seconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'From the call read to the answer handed over',
    labelNames: ['route'],
    buckets: LATENCY_BUCKETS,
    registers: [this.registry],
  });
  readonly #shed = new Counter({
    name: 'shed_total',
    help: 'Calls refused before they were looked at',
    labelNames: ['reason'],
    registers: [this.registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  observe({ route, c, status, opmlStatus }: Outcome, seconds: number): void {
    this.#requests.inc({ route, c, status, opml_status: opmlStatus });
    this.#seconds.observe({ route }, seconds);
  }

  countShed(reason: 'in_flight'): void {
    this.#shed.inc({ reason });
  }

  /** A number that is read when somebody asks, such as the version of the directory in memory. */
  gauge(name: string, help: string, read: () => number): void {
    const collect = function collect(this: Gauge): void {
      this.set(read());
    };
    this.registry.registerMetric(new Gauge({ name, help, registers: [], collect }));
  }
}
