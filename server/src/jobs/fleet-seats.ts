import type { Waiting } from '../lib/fetch-safely/late-signal.ts';
import { NoSeat, Seats } from '../lib/fetch-safely/seats.ts';
import { Gather } from './gather.ts';
import { SeatLocks } from './seat-locks.ts';

const SEATS_PER_HOST = 2;
const LONGEST_LINE = 100;
/** So long a seat waits for others to be asked for with it: little beside a connection, and far fewer questions. */
const LINGER_MS = 5;
const MOST = 500;

/** One seat of a host, and with it one of this process. */
interface Held {
  readonly host: string;
  readonly number: number;
  readonly here: Disposable;
}

/** Hosts come from addresses that were read, and hold no blank. Two that share a key by chance share its seats too. */
const nameOf = ({ host, number }: Held): string => `${number} ${host}`;

class Seat implements Disposable {
  readonly #give: (held: Held) => void;
  #held: Held | undefined;

  constructor(give: (held: Held) => void, held: Held) {
    this.#give = give;
    this.#held = held;
  }

  [Symbol.dispose](): void {
    if (this.#held) this.#give(this.#held);
    this.#held = undefined;
  }
}

/** Two at once of a host over all workers that share the database. Locks are asked for and given back many at a time. */
export class FleetSeats implements AsyncDisposable {
  readonly #locks: SeatLocks;
  readonly #here = new Seats(SEATS_PER_HOST, LONGEST_LINE);
  /** The seats of each host that this process holds, a bit for each: the same connection would be given a lock twice. */
  readonly #numbers = new Map<string, number>();
  /** Given back, and the database does not know it yet. */
  #leaving: Held[] = [];
  /** Nothing is asked for by those who only give back. */
  readonly #asking = new Gather<Held | undefined, boolean>((asked) => this.#ask(asked), MOST, LINGER_MS);

  constructor(databaseUrl: string) {
    this.#locks = new SeatLocks(databaseUrl);
  }

  /** Throws NoSeat when others hold both: there is no line across processes, the work is put off instead. */
  async take(host: string, waiting: Waiting): Promise<Disposable> {
    const here = await this.#here.take(host, waiting);
    try {
      for (let number = 0; number < SEATS_PER_HOST; number += 1) {
        const held = { host, number, here };
        if (await this.#isLocked(held)) return new Seat(this.#give, held);
      }
      throw new NoSeat(`other workers are asking ${host} already`);
    } catch (error) {
      here[Symbol.dispose]();
      throw error;
    }
  }

  async #isLocked(held: Held): Promise<boolean> {
    const { host, number } = held;
    const numbers = this.#numbers.get(host) ?? 0;
    if ((numbers & (1 << number)) !== 0) return false;
    this.#numbers.set(host, numbers | (1 << number));
    let isOurs = false;
    try {
      isOurs = await this.#asking.add(held);
      return isOurs;
    } finally {
      if (!isOurs) this.#forget(host, number);
    }
  }

  #forget(host: string, number: number): void {
    const numbers = (this.#numbers.get(host) ?? 0) & ~(1 << number);
    if (numbers === 0) this.#numbers.delete(host);
    else this.#numbers.set(host, numbers);
  }

  readonly #give = (held: Held): void => {
    // Where it cannot be given back the connection is lost, and its locks with it.
    if (this.#leaving.length === 0) this.#asking.add(undefined).catch(() => undefined);
    this.#leaving.push(held);
  };

  async #ask(asked: readonly (Held | undefined)[]): Promise<boolean[]> {
    const leaving = this.#leaving;
    this.#leaving = [];
    const wanted = asked.filter((one) => one !== undefined);
    if (leaving.length + wanted.length === 0) return asked.map(() => true);
    try {
      const isTaken = await this.#locks.giveAndTake(leaving.map(nameOf), wanted.map(nameOf));
      const taken = new Set(wanted.filter((_, place) => isTaken[place]));
      return asked.map((one) => !one || taken.has(one));
    } finally {
      for (const { host, number, here } of leaving) {
        this.#forget(host, number);
        here[Symbol.dispose]();
      }
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#locks[Symbol.asyncDispose]();
  }
}
