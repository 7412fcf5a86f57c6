import type { MetricsReport } from '../http/metrics.ts';

/** Who does not answer in time is told of by what it said last. */
const MAX_WAIT_MS = 1000;

/**
 * What all processes count, for one page of metrics. Counts of those that have ended stay in it, so that none ever falls:
 * a process is replaced with every renewal.
 */
export class ReportBook<Holder> {
  readonly #last = new Map<Holder, MetricsReport>();
  readonly #ended = new Map<string, MetricsReport[number]>();
  readonly #rounds = new Map<number, { missing: Set<Holder>; done: () => void }>();
  #round = 0;

  /** Asks everybody, by a number that the answer has to tell. */
  async gather(
    holders: readonly Holder[],
    ask: (holder: Holder, round: number) => void,
  ): Promise<MetricsReport[]> {
    const round = (this.#round += 1);
    const { promise, resolve: done } = Promise.withResolvers<void>();
    this.#rounds.set(round, { missing: new Set(holders), done });
    const timer = setTimeout(done, MAX_WAIT_MS);
    for (const holder of holders) ask(holder, round);
    await promise;
    clearTimeout(timer);
    this.#rounds.delete(round);
    return [...this.#last.values(), [...this.#ended.values()]];
  }

  hear(holder: Holder, report: MetricsReport, round?: number): void {
    this.#last.set(holder, report);
    if (round !== undefined) this.#answered(round, holder);
  }

  /** It has ended: what it counted is kept, what it had is not. */
  forget(holder: Holder): void {
    for (const metric of this.#last.get(holder) ?? [])
      if (COUNTED.has(String(metric.type))) this.#keep(metric);
    this.#last.delete(holder);
    for (const round of this.#rounds.keys()) this.#answered(round, holder);
  }

  #answered(round: number, holder: Holder): void {
    const { missing, done } = this.#rounds.get(round) ?? {};
    missing?.delete(holder);
    if (missing?.size === 0) done?.();
  }

  #keep(metric: MetricsReport[number]): void {
    const kept = this.#ended.getOrInsertComputed(metric.name, () => ({ ...metric, values: [] }));
    for (const counted of metric.values) {
      const name = nameOf(counted);
      const known = kept.values.find((value) => nameOf(value) === name);
      if (known) known.value += counted.value;
      else kept.values.push({ ...counted });
    }
  }
}

const COUNTED: ReadonlySet<string> = new Set(['counter', 'histogram']);

const nameOf = ({ metricName, labels }: MetricsReport[number]['values'][number]): string =>
  JSON.stringify([metricName, Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1))]);
