import type { EngineDeps } from './deps.ts';

/** Pauses before everything is tried again; then it gives up. Some ten minutes, for tunnels and rebooting routers. */
const PAUSES_S = [2, 4, 8, 15, 30, 60, 60, 60, 60, 60, 60, 60, 60, 60];

/** How often and when to retry something that could not be played. */
export class Retries {
  readonly #deps: Pick<EngineDeps, 'after' | 'onReturn'>;
  #count = 0;
  #stop: (() => void) | undefined;

  constructor(deps: Pick<EngineDeps, 'after' | 'onReturn'>) {
    this.#deps = deps;
  }

  /** Calls back after a pause, or immediately when the network is back. False when it was tried often enough. */
  wait(then: () => void): boolean {
    const seconds = PAUSES_S[this.#count];
    if (seconds === undefined) return false;
    this.#count += 1;
    const go = (): void => {
      this.stop();
      then();
    };
    const stopPause = this.#deps.after(seconds * 1000, go);
    const stopLooking = this.#deps.onReturn(() => {
      // A network that has just come back may need another moment.
      this.#count = 0;
      go();
    });
    this.#stop = () => {
      stopPause();
      stopLooking();
    };
    return true;
  }

  stop(): void {
    this.#stop?.();
    this.#stop = undefined;
  }

  /** It played well: the next failure is a new one. */
  reset(): void {
    this.#count = 0;
  }
}
