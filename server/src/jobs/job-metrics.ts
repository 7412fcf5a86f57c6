import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

const SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30, 60];

/** What a worker tells of its jobs. */
export class JobMetrics {
  readonly #done: Counter;
  readonly #seconds: Histogram;
  readonly #underWay = new Map<string, () => number>();

  constructor(registry: Registry) {
    const registers = [registry];
    this.#done = new Counter({
      name: 'jobs_total',
      help: 'Jobs done, by how they went',
      labelNames: ['job', 'outcome'],
      registers,
    });
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
    this.#done.inc({ job, outcome });
    this.#seconds.observe({ job }, seconds);
  }

  watch(job: string, underWay: () => number): void {
    this.#underWay.set(job, underWay);
  }
}
