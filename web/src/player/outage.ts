import type { EngineDeps } from './deps.ts';

type OutageDeps = Pick<EngineDeps, 'isOnline' | 'isReachable' | 'onReturn' | 'after' | 'now'>;

/**
 * A look begins this long after the one before began, however long that waited for an answer: the first that succeeds begins
 * within this time of the network's return, which leaves the rest of five seconds to the station.
 */
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
    const began = this.#deps.now();
    const isUp = this.#deps.isOnline() && (await this.#deps.isReachable(signal).catch(() => false));
    if (signal.aborted) return;
    this.#stopPause?.();
    const restMs = Math.max(LOOK_PAUSE_MS, LOOK_EVERY_MS - (this.#deps.now() - began));
    this.#stopPause = this.#deps.after(restMs, () => void this.#look(signal));
    const wasDown = this.#isDown;
    this.#isDown = !isUp;
    this.#isConfirmed ||= isUp;
    if (wasDown !== this.#isDown) this.#callbacks.changed();
    if (wasDown && isUp) this.#callbacks.back();
  }
}
