import { whenAborted } from '../when-aborted.ts';
import type { Waiting } from './late-signal.ts';

/** Too many wait already for one place; come back later. */
export class NoSeat extends Error {
  override name = 'NoSeat';
}

/** Who gives it back twice gives nobody else's. */
class Seat implements Disposable {
  #seats: Seats | undefined;
  readonly #key: string;

  constructor(seats: Seats, key: string) {
    this.#seats = seats;
    this.#key = key;
  }

  [Symbol.dispose](): void {
    const seats = this.#seats;
    this.#seats = undefined;
    seats?.leave(this.#key);
  }
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

  /** A seat, which is given back by disposing of it: at once where one is free, as nearly always, and without a promise. */
  take(key: string, waiting: Waiting): Disposable | Promise<Disposable> {
    const place = this.#taken.get(key);
    if (!place) this.#taken.set(key, { seated: 1, line: [] });
    else if (place.seated >= this.#most) return this.#wait(key, place.line, waiting.signal);
    else place.seated += 1;
    return new Seat(this, key);
  }

  get size(): number {
    return this.#taken.size;
  }

  async #wait(key: string, line: (() => void)[], signal: AbortSignal): Promise<Disposable> {
    signal.throwIfAborted();
    if (line.length >= this.#longestLine) throw new NoSeat(`too many wait for ${key}`);
    const { promise, resolve, reject } = Promise.withResolvers<Disposable>();
    const giveUp = (): void => {
      line.splice(line.indexOf(seat), 1);
      reject(signal.reason);
    };
    const seat = (): void => {
      leave();
      resolve(new Seat(this, key));
    };
    line.push(seat);
    const leave = whenAborted(signal, giveUp);
    return promise;
  }

  /** For a seat that is left: it goes to the first in line, or is free. */
  leave(key: string): void {
    const place = this.#taken.get(key);
    if (!place) return;
    const next = place.line.shift();
    if (next) return next();
    place.seated -= 1;
    if (place.seated === 0) this.#taken.delete(key);
  }
}
