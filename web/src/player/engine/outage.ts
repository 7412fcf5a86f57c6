import type { EngineDeps } from './deps.ts';
import { LOOK_AGAIN_MS } from './reachable.ts';

type OutageDeps = Pick<EngineDeps, 'isOnline' | 'isReachable' | 'onReturn' | 'after' | 'now'>;

/** Whoever is there answers sooner. */
const SILENT_MS = 2000;
/** From the beginning of a look that was answered or refused to the next one. */
const LOOK_EVERY_MS = 2000;
const LOOK_PAUSE_MS = 250;

interface Callbacks {
  /** The network is gone, or was. */
  changed: () => void;
  /** It was gone, and is here again. */
  back: () => void;
}

/**
 * Whether the listener's own network works, by asking our server as long as nothing is heard. Browsers tell of a
 * network that is switched off, and of nothing behind it: a router that restarts, a tunnel, a cable that is unplugged.
 */
export class Outage {
  readonly #deps: OutageDeps;
  readonly #callbacks: Callbacks;
  #isDown = false;
  #isConfirmed = false;
  #watching: AbortController | undefined;
  #stopPause: (() => void) | undefined;
  #looks = 0;
  /** Ends looks that are under way when another was answered. */
  #answered = new AbortController();

  constructor(deps: OutageDeps, callbacks: Callbacks) {
    this.#deps = deps;
    this.#callbacks = callbacks;
  }

  get isDown(): boolean {
    return this.#isDown || !this.#deps.isOnline();
  }

  /** Whether our server answered since the trouble began: then it is not the network. */
  get isConfirmedUp(): boolean {
    return this.#isConfirmed && !this.isDown;
  }

  /** Begins to look, unless it does already. */
  start(): void {
    if (this.#watching) return;
    const watching = new AbortController();
    this.#watching = watching;
    const stopReturn = this.#deps.onReturn(() => void this.#look(watching.signal));
    watching.signal.addEventListener('abort', stopReturn);
    void this.#look(watching.signal);
  }

  stop(): void {
    this.#watching?.abort();
    this.#watching = undefined;
    this.#stopPause?.();
    this.#isDown = false;
    this.#isConfirmed = false;
  }

  async #look(signal: AbortSignal): Promise<void> {
    this.#stopPause?.();
    const number = this.#looks++;
    const began = this.#deps.now();
    // Nobody waits for a look that takes long, but it goes on: it is often the first to be answered.
    this.#stopPause = this.#deps.after(LOOK_AGAIN_MS, () => void this.#look(signal));
    const ended = AbortSignal.any([signal, this.#answered.signal]);
    const stopSilence = this.#deps.after(SILENT_MS, () => {
      if (!ended.aborted) this.#found(false);
    });
    const isUp = this.#deps.isOnline() && (await this.#deps.isReachable(ended, number).catch(() => false));
    stopSilence();
    if (ended.aborted) return;
    if (isUp) this.#endOthers();
    if (isUp || number === this.#looks - 1) {
      this.#stopPause?.();
      const restMs = Math.max(LOOK_PAUSE_MS, LOOK_EVERY_MS - (this.#deps.now() - began));
      this.#stopPause = this.#deps.after(restMs, () => void this.#look(signal));
    }
    this.#found(isUp);
  }

  #endOthers(): void {
    this.#answered.abort();
    this.#answered = new AbortController();
  }

  #found(isUp: boolean): void {
    const wasDown = this.#isDown;
    this.#isDown = !isUp;
    this.#isConfirmed ||= isUp;
    if (wasDown !== this.#isDown) this.#callbacks.changed();
    if (wasDown && isUp) this.#callbacks.back();
  }
}
