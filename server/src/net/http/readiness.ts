import type { ServerResponse } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';

export interface HealthReport {
  status: 200 | 503;
  body: string;
}

/*
 * Whether a process receives calls, from start to stop:
 *
 *   warming    loading; sockets may already be open, and calls are answered; /readyz says 503
 *   ready      /readyz says 200
 *   draining   /readyz says 503; calls are still answered, with `Connection: close`; event streams are ended
 *
 * `cli/serve/run-serve.ts` and `cli/work.ts` report when everything is loaded; `graceful-stop.ts` starts draining on SIGTERM,
 * SIGINT or an uncaught exception. There is no way back, and warming may change straight to draining. Steps of a stop,
 * each with its maximum duration:
 *
 *   SHUTDOWN_GRACE_SECONDS   keeps draining, until load balancers have noticed
 *   15 s                     accepts no new connections and lets calls in flight finish; then cuts the rest
 *   8 s                      sends queued mail, then closes resources, the last opened first
 *   25 s after the grace     exits, whatever is left; a second signal, over a second after the first, exits immediately
 *
 * The private port closes last, so that it reports "draining" to the end. None of this is stored: after a crash a
 * process starts at warming and loads the directory again before it opens its sockets. Liveness (/livez) is separate:
 * it measures the event loop, not this state.
 */

const STUCK_MS = 1000;

/**
 * Whether load balancers should send calls here. An unreachable database or cache does not make a process unready:
 * menus are served from memory, and failing on all processes together would turn that outage into a total one.
 */
export class Readiness {
  #state: 'warming' | 'ready' | 'draining' = 'warming';
  readonly #dependencies = new Map<string, () => boolean>();
  readonly #onDrain: (() => void)[] = [];
  readonly #loopDelays = { public: monitorEventLoopDelay(), private: monitorEventLoopDelay() };

  /** Adds a dependency to the health report. */
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

  /** For what would otherwise never end, such as event streams. */
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
   * Liveness: answers, and answers soon; each request starts a new measurement. The public and the private port measure
   * separately: otherwise requests to the public one would hide a hang from the operator's probe.
   */
  live(port: 'public' | 'private'): HealthReport {
    const delay = this.#loopDelays[port];
    const delayMs = delay.percentile(99) / 1e6;
    delay.reset();
    return {
      status: delayMs < STUCK_MS ? 200 : 503,
      body: `${JSON.stringify({ delayMs: Math.round(delayMs) })}\n`,
    };
  }
}

/** A connection that is kept would bring calls until it is cut in the middle of one. */
export function endWhileDraining({ isDraining }: Readiness, response: ServerResponse): void {
  if (isDraining && !response.headersSent) response.setHeader('Connection', 'close');
}
