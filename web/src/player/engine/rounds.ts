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
/** For one that played well before: a lost packet of a connection's opening is sent again after 1, 3 and 7 seconds. */
const HEARD_WAIT_MS = 8000;

/**
 * Which stream to try next. Each gets a short try in the directory's order; those that were only silent get a long one
 * afterwards, for listeners with a slow connection. Where one played well before, only that one does: it is missed, and
 * must not be found late because others were waited for.
 */
export class Rounds {
  #waiting: Attempt[];
  readonly #silent: PlayerStream[] = [];
  #current: PlayerStream | undefined;
  #isSecond = false;
  readonly #heard: ReadonlySet<string>;

  /** `heard` are the addresses of those that played well before. */
  constructor(streams: readonly PlayerStream[], heard: ReadonlySet<string> = new Set()) {
    this.#heard = heard;
    this.#waiting = streams.map((stream) => ({ stream, maxWaitMs: FIRST_WAIT_MS }));
  }

  next(): Attempt | undefined {
    const attempt = this.#waiting.shift();
    if (attempt) {
      this.#current = attempt.stream;
      return attempt;
    }
    const silent = this.#silent.splice(0);
    const isMissed = this.#heard.size > 0;
    const slow = isMissed ? silent.filter(({ address }) => this.#heard.has(address)) : silent;
    if (slow.length === 0) return undefined;
    this.#waiting = slow.map((stream) => ({ stream, maxWaitMs: isMissed ? HEARD_WAIT_MS : SECOND_WAIT_MS }));
    this.#isSecond = true;
    return this.next();
  }

  lost(loss: Loss): void {
    if (loss === 'silence' && !this.#isSecond && this.#current) this.#silent.push(this.#current);
  }
}
