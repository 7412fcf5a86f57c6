import type { EngineNeeds } from './needs.ts';

/** Before everything is tried once more. After the last it is given up: some ten minutes, for tunnels and routers that start anew. */
const PAUSES_S = [2, 4, 8, 15, 30, 60, 60, 60, 60, 60, 60, 60, 60, 60];

/** How often and when something that could not be heard is tried again. */
export class Retries {
  readonly #needs: Pick<EngineNeeds, 'after' | 'onReturn'>;
  #count = 0;
  #stop: (() => void) | undefined;

  constructor(needs: Pick<EngineNeeds, 'after' | 'onReturn'>) {
    this.#needs = needs;
  }

  /** Calls back after a pause, at once when there is a network again. False when it was tried often enough. */
  wait(then: () => void): boolean {
    const seconds = PAUSES_S[this.#count];
    if (seconds === undefined) return false;
    this.#count += 1;
    const go = (): void => {
      this.stop();
      then();
    };
    const stopPause = this.#needs.after(seconds * 1000, go);
    const stopLooking = this.#needs.onReturn(() => {
      // A network that has only just come may need another moment.
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

  /** It was heard well: what comes is another trouble. */
  reset(): void {
    this.#count = 0;
  }
}
