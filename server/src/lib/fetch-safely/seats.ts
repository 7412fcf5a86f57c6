/** Too many wait already for one place; come back later. */
export class NoSeat extends Error {
  override name = 'NoSeat';
}

/**
 * So many at once for each key, the others in a line that has an end. Keys are forgotten when nobody sits or waits, so
 * memory is as large as what goes on.
 */
export class Seats {
  readonly #most: number;
  readonly #longestLine: number;
  readonly #taken = new Map<string, { seated: number; line: (() => void)[] }>();

  constructor(most: number, longestLine: number) {
    this.#most = most;
    this.#longestLine = longestLine;
  }

  /** A seat, which is given back by disposing of it. */
  async take(key: string, signal: AbortSignal): Promise<Disposable> {
    signal.throwIfAborted();
    const place = this.#taken.get(key) ?? { seated: 0, line: [] };
    this.#taken.set(key, place);
    if (place.seated < this.#most) place.seated += 1;
    else await this.#wait(key, place.line, signal);
    return { [Symbol.dispose]: () => this.#leave(key) };
  }

  get size(): number {
    return this.#taken.size;
  }

  #wait(key: string, line: (() => void)[], signal: AbortSignal): Promise<void> {
    if (line.length >= this.#longestLine) throw new NoSeat(`too many wait for ${key}`);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const giveUp = (): void => {
      line.splice(line.indexOf(seat), 1);
      reject(signal.reason);
    };
    const seat = (): void => {
      signal.removeEventListener('abort', giveUp);
      resolve();
    };
    line.push(seat);
    signal.addEventListener('abort', giveUp, { once: true });
    return promise;
  }

  /** The seat goes to the first in line, or is free. */
  #leave(key: string): void {
    const place = this.#taken.get(key);
    if (!place) return;
    const next = place.line.shift();
    if (next) return next();
    place.seated -= 1;
    if (place.seated === 0) this.#taken.delete(key);
  }
}
