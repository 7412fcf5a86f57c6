import type { PlayerStream } from './state.ts';

/** How a stream was lost: it said so itself, or it kept silent, which a slow line does too. */
export type Loss = 'error' | 'silence';

export interface Attempt {
  stream: PlayerStream;
  /** How long it may take until it is heard. */
  patienceMs: number;
}

/** Short enough that a dead first stream and a good second one together take less than five seconds. */
const FIRST_PATIENCE_MS = 3500;
const SECOND_PATIENCE_MS = 12_000;

/**
 * Which stream is tried next. Every one gets a short chance in the directory's order; those that were only silent get a
 * long one afterwards, for listeners with a slow line.
 */
export class Rounds {
  #waiting: Attempt[];
  readonly #silent: PlayerStream[] = [];
  #current: PlayerStream | undefined;
  #isSecond = false;

  constructor(streams: readonly PlayerStream[]) {
    this.#waiting = streams.map((stream) => ({ stream, patienceMs: FIRST_PATIENCE_MS }));
  }

  next(): Attempt | undefined {
    const attempt = this.#waiting.shift();
    if (attempt) {
      this.#current = attempt.stream;
      return attempt;
    }
    const slow = this.#silent.splice(0);
    if (slow.length === 0) return undefined;
    this.#waiting = slow.map((stream) => ({ stream, patienceMs: SECOND_PATIENCE_MS }));
    this.#isSecond = true;
    return this.next();
  }

  lost(loss: Loss): void {
    if (loss === 'silence' && !this.#isSecond && this.#current) this.#silent.push(this.#current);
  }
}
