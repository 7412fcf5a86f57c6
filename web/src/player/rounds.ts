import type { PlayerStream } from './state.ts';

/** How a stream was lost: it reported an error, or it was silent, as on a slow connection. */
export type Loss = 'error' | 'silence';

export interface Attempt {
  stream: PlayerStream;
  /** How long it may take to start playing. */
  maxWaitMs: number;
}

/** Short enough that a dead first stream and a good second one together take less than five seconds. */
const FIRST_WAIT_MS = 3500;
const SECOND_WAIT_MS = 12_000;

/**
 * Which stream to try next. Each gets a short try in the directory's order; those that were only silent get a long one
 * afterwards, for listeners with a slow connection.
 */
export class Rounds {
  #waiting: Attempt[];
  readonly #silent: PlayerStream[] = [];
  #current: PlayerStream | undefined;
  #isSecond = false;

  constructor(streams: readonly PlayerStream[]) {
    this.#waiting = streams.map((stream) => ({ stream, maxWaitMs: FIRST_WAIT_MS }));
  }

  next(): Attempt | undefined {
    const attempt = this.#waiting.shift();
    if (attempt) {
      this.#current = attempt.stream;
      return attempt;
    }
    const slow = this.#silent.splice(0);
    if (slow.length === 0) return undefined;
    this.#waiting = slow.map((stream) => ({ stream, maxWaitMs: SECOND_WAIT_MS }));
    this.#isSecond = true;
    return this.next();
  }

  lost(loss: Loss): void {
    if (loss === 'silence' && !this.#isSecond && this.#current) this.#silent.push(this.#current);
  }
}
