import type { Clock } from '../lib/clock.ts';

/**
 * Work that is asked for often and done seldom: never twice at once, not again within a pause after it was done, and
 * always once more after the last asking.
 */
export class Paced implements AsyncDisposable {
  readonly #work: () => Promise<boolean>;
  readonly #pauseMs: number;
  readonly #clock: Clock;
  #restingUntilMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #askedMeanwhile = false;
  #stopped = false;

  /** `work` must not reject; it tells whether there was anything to do, and thus whether to pause. */
  constructor(work: () => Promise<boolean>, pauseMs: number, clock: Clock) {
    this.#work = work;
    this.#pauseMs = pauseMs;
    this.#clock = clock;
  }

  ask(): void {
    if (this.#stopped || this.#timer) return;
    if (this.#running) this.#askedMeanwhile = true;
    else
      this.#timer = setTimeout(
        () => this.#start(),
        Math.max(0, this.#restingUntilMs - this.#clock.elapsedMs()),
      );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  #start(): void {
    this.#timer = undefined;
    this.#running = this.#run();
  }

  async #run(): Promise<void> {
    if (await this.#work()) this.#restingUntilMs = this.#clock.elapsedMs() + this.#pauseMs;
    this.#running = undefined;
    if (!this.#askedMeanwhile) return;
    this.#askedMeanwhile = false;
    this.ask();
  }
}
