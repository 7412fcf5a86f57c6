import { monitorEventLoopDelay } from 'node:perf_hooks';

export interface HealthReport {
  status: 200 | 503;
  body: string;
}

const STUCK_MS = 1000;

/**
 * Whether this process should be sent calls. A database or cache that is away does not make it unready: menus are
 * served from memory all the same, and failing everywhere at once would turn that outage into a total one.
 */
export class Readiness {
  #state: 'warming' | 'ready' | 'draining' = 'warming';
  readonly #dependencies = new Map<string, () => boolean>();
  readonly #onDrain: (() => void)[] = [];
  readonly #loopDelays = { public: monitorEventLoopDelay(), private: monitorEventLoopDelay() };

  /** Names a dependency for the report, with a way to ask whether it is up. */
  watch(name: string, isUp: () => boolean): void {
    this.#dependencies.set(name, isUp);
  }

  warmed(): void {
    if (this.#state !== 'warming') return;
    this.#state = 'ready';
    for (const delay of Object.values(this.#loopDelays)) delay.enable();
  }

  drain(): void {
    this.#state = 'draining';
    for (const listener of this.#onDrain) listener();
  }

  /** Told when it begins, by what would otherwise never come to its end. */
  onDrain(listener: () => void): void {
    this.#onDrain.push(listener);
  }

  get isDraining(): boolean {
    return this.#state === 'draining';
  }

  ready(): HealthReport {
    const report: Record<string, string> = { state: this.#state };
    for (const [name, isUp] of this.#dependencies) report[name] = isUp() ? 'up' : 'down';
    return { status: this.#state === 'ready' ? 200 : 503, body: `${JSON.stringify(report)}\n` };
  }

  /**
   * Alive is answering, and answering soon; asking again begins a new measurement. Each door has its own: anybody who asks at
   * the public one would otherwise hide from the operator's probe that the process hung.
   */
  live(door: 'public' | 'private'): HealthReport {
    const delay = this.#loopDelays[door];
    const delayMs = delay.percentile(99) / 1e6;
    delay.reset();
    return {
      status: delayMs < STUCK_MS ? 200 : 503,
      body: `${JSON.stringify({ delayMs: Math.round(delayMs) })}\n`,
    };
  }
}
