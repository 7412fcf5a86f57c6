import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

const SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30, 60];

/** What a worker tells of its jobs. */
export class JobMetrics {
  /** How often, by job and by how it went: added up here, for the registry takes longer to find the place than to count. */
  readonly #done = new Map<string, Map<string, number>>();
  readonly #seconds: Histogram;
  readonly #underWay = new Map<string, () => number>();

  constructor(registry: Registry) {
    const registers = [registry];
    const done = this.#done;
    registry.registerMetric(
      new Counter({
        name: 'jobs_total',
        help: 'Jobs done, by how they went',
        labelNames: ['job', 'outcome'],
        registers: [],
        collect() {
          this.reset();
          for (const [job, outcomes] of done)
            for (const [outcome, count] of outcomes) this.inc({ job, outcome }, count);
        },
      }),
    );
    this.#seconds = new Histogram({
      name: 'job_seconds',
      help: 'How long a job took',
      labelNames: ['job'],
      buckets: SECONDS,
      registers,
    });
    const underWay = this.#underWay;
    registry.registerMetric(
      new Gauge({
        name: 'jobs_under_way',
        help: 'Jobs that are being done',
        labelNames: ['job'],
        registers: [],
        collect() {
          for (const [job, read] of underWay) this.set({ job }, read());
        },
      }),
    );
  }

  count(job: string, outcome: string, seconds: number): void {
    const outcomes = this.#done.get(job) ?? new Map<string, number>();
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    this.#done.set(job, outcomes);
    this.#seconds.observe({ job }, seconds);
  }

  watch(job: string, underWay: () => number): void {
    this.#underWay.set(job, underWay);
  }
}
