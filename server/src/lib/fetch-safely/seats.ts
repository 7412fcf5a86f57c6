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
    return this.takeFree(key) ?? (await this.#wait(key, signal));
  }

  /** A seat, where nobody has to be waited for. */
  takeFree(key: string): Disposable | undefined {
    const place = this.#taken.get(key) ?? { seated: 0, line: [] };
    if (place.seated >= this.#most) return undefined;
    this.#taken.set(key, place);
    place.seated += 1;
    return this.#seat(key);
  }

  /** Who gives it back twice gives nobody else's. */
  #seat(key: string): Disposable {
    let isLeft = false;
    return {
      [Symbol.dispose]: () => {
        if (isLeft) return;
        isLeft = true;
        this.#leave(key);
      },
    };
  }

  get size(): number {
    return this.#taken.size;
  }

  #wait(key: string, signal: AbortSignal): Promise<Disposable> {
    const line = this.#taken.get(key)?.line ?? [];
    if (line.length >= this.#longestLine) throw new NoSeat(`too many wait for ${key}`);
    const { promise, resolve, reject } = Promise.withResolvers<Disposable>();
    const giveUp = (): void => {
      line.splice(line.indexOf(seat), 1);
      reject(signal.reason);
    };
    const seat = (): void => {
      signal.removeEventListener('abort', giveUp);
      resolve(this.#seat(key));
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
