import type { EngineDeps } from './deps.ts';

/** Pauses before a station that was not heard is tried again; then it gives up. Some ten minutes. */
const PAUSES_S = [2, 4, 8, 15, 30, 60, 60, 60, 60, 60, 60, 60, 60, 60];

/**
 * What was heard well is missed at once: a try begins at most this often, so that it is heard within five seconds of its
 * return, and a station that refuses everybody for a moment is not asked by all its listeners every second.
 */
const HEARD_EVERY_MS = 4000;
const HEARD_PAUSE_MS = 750;
/** Listeners of a station that broke off at the same moment do not all come back at the same moment. */
const SPREAD_MS = 500;
/** Ten minutes at least. */
const HEARD_TRIES = 150;

/** Without a network only our own server is asked; streams now and then, for it may be our server that is gone. */
const DOWN_PAUSE_MS = 30_000;
/** Three hours. */
const DOWN_TRIES = 360;

export interface Trouble {
  /** Whether it played well before. */
  wasHeard: boolean;
  /** Whether the listener's network is gone. */
  isDown: boolean;
  /** When the last try began, by the engine's clock. */
  triedAt: number;
}

/** How often and when to retry something that could not be played. */
export class Retries {
  readonly #deps: Pick<EngineDeps, 'after' | 'now' | 'onReturn'>;
  #count = 0;
  #downCount = 0;
  #stop: (() => void) | undefined;

  constructor(deps: Pick<EngineDeps, 'after' | 'now' | 'onReturn'>) {
    this.#deps = deps;
  }

  /** Calls back after a pause, or immediately when the network is back. False when it was tried often enough. */
  wait(then: () => void, trouble: Trouble): boolean {
    const pauseMs = this.#pauseMs(trouble);
    if (pauseMs === undefined) return false;
    const go = (): void => {
      this.stop();
      then();
    };
    const stopPause = this.#deps.after(pauseMs, go);
    const stopLooking = this.#deps.onReturn(() => {
      // A network that has just come back may need another moment.
      this.reset();
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

  /** It played well, or the network is back: the next failure is a new one. */
  reset(): void {
    this.#count = 0;
    this.#downCount = 0;
  }

  #pauseMs({ wasHeard, isDown, triedAt }: Trouble): number | undefined {
    if (isDown) return this.#downCount++ < DOWN_TRIES ? DOWN_PAUSE_MS : undefined;
    const count = this.#count++;
    if (!wasHeard) return PAUSES_S[count] === undefined ? undefined : PAUSES_S[count] * 1000;
    if (count >= HEARD_TRIES) return undefined;
    const restMs = HEARD_EVERY_MS - SPREAD_MS - (this.#deps.now() - triedAt);
    return Math.max(HEARD_PAUSE_MS, restMs) + Math.random() * SPREAD_MS;
  }
}
