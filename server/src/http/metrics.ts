import { Counter, Gauge, Registry, collectDefaultMetrics } from 'prom-client';
import { CallTally, type Outcome } from './call-tally.ts';

/** What the process counts about itself, in the form Prometheus reads. */
export class Metrics {
  readonly registry = new Registry();
  readonly #calls = new CallTally();
  readonly #shed = new Counter({
    name: 'shed_total',
    help: 'Calls refused before they were looked at',
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

  /** A number that is read when somebody asks, such as the version of the directory in memory. */
  gauge(name: string, help: string, read: () => number): void {
    const collect = function collect(this: Gauge): void {
      this.set(read());
    };
    this.registry.registerMetric(new Gauge({ name, help, registers: [], collect }));
  }
}
