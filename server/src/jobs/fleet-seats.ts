import type { Waiting } from '../lib/fetch-safely/late-signal.ts';
import { NoSeat, Seats } from '../lib/fetch-safely/seats.ts';
import { AdvisoryLocks, type Holder } from './advisory-locks.ts';
import { Gather } from './gather.ts';

const SEATS_PER_HOST = 2;
const LONGEST_LINE = 100;
/** So long a seat waits for others to be asked for with it: little beside a connection, and far fewer questions. */
const LINGER_MS = 5;
const MOST = 500;
/** So long a seat goes from one here to the next; then others have their chance. */
const LONGEST_KEPT_MS = 2000;

/** One seat of a host, and the lock that makes it ours. */
interface Held {
  readonly host: string;
  readonly number: number;
  readonly here: Disposable;
  /** Undefined until the lock is ours. */
  holder: Holder | undefined;
  sinceMs: number;
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

/**
 * Two at once of a host over all workers that share the database. Locks are asked for and given back many at a time; one
 * that is asked for here before it was given back goes to who asks, and the database is not troubled.
 */
export class FleetSeats implements AsyncDisposable {
  readonly #locks: AdvisoryLocks;
  readonly #here = new Seats(SEATS_PER_HOST, LONGEST_LINE);
  /** The seats of each host that this process holds, a bit for each: the same connection would be given a lock twice. */
  readonly #numbers = new Map<string, number>();
  /** Given back, by host, and the database does not know it yet. */
  #leaving = new Map<string, Held[]>();
  /** Nothing is asked for by those who only give back. */
  readonly #asking = new Gather<Held | undefined, boolean>((asked) => this.#ask(asked), MOST, LINGER_MS);

  constructor(databaseUrl: string) {
    this.#locks = new AdvisoryLocks(databaseUrl);
  }

  /** Throws NoSeat when others hold both: there is no line across processes, the work is put off instead. */
  take(host: string, waiting: Waiting): Disposable | Promise<Disposable> {
    const kept = this.#handedOn(host);
    return kept ? new Seat(this.#give, kept) : this.#lock(host, waiting);
  }

  /** Not for ever, and not one that was lost with its connection. */
  #handedOn(host: string): Held | undefined {
    const latestMs = performance.now() - LONGEST_KEPT_MS;
    const leaving = this.#leaving.get(host);
    const last = leaving?.at(-1);
    if (!last || last.holder !== this.#locks.holder || last.sinceMs < latestMs) return undefined;
    return leaving?.pop();
  }

  async #lock(host: string, waiting: Waiting): Promise<Disposable> {
    const here = await this.#here.take(host, waiting);
    try {
      for (let number = 0; number < SEATS_PER_HOST; number += 1) {
        const held: Held = { host, number, here, holder: undefined, sinceMs: 0 };
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
    try {
      return await this.#asking.add(held);
    } finally {
      if (!held.holder) this.#forget(host, number);
    }
  }

  #forget(host: string, number: number): void {
    const numbers = (this.#numbers.get(host) ?? 0) & ~(1 << number);
    if (numbers === 0) this.#numbers.delete(host);
    else this.#numbers.set(host, numbers);
  }

  readonly #give = (held: Held): void => {
    // Where it cannot be given back the connection is lost, and its locks with it.
    if (this.#leaving.size === 0) this.#asking.add(undefined).catch(() => undefined);
    const leaving = this.#leaving.get(held.host);
    if (leaving) leaving.push(held);
    else this.#leaving.set(held.host, [held]);
  };

  async #ask(asked: readonly (Held | undefined)[]): Promise<boolean[]> {
    const leaving = [...this.#leaving.values()].flat();
    this.#leaving = new Map();
    const wanted = asked.filter((one) => one !== undefined);
    try {
      await this.#giveAndTake(leaving, wanted);
      return asked.map((one) => !one || one.holder !== undefined);
    } finally {
      for (const { host, number, here } of leaving) {
        this.#forget(host, number);
        here[Symbol.dispose]();
      }
    }
  }

  async #giveAndTake(leaving: readonly Held[], wanted: readonly Held[]): Promise<void> {
    const ours = leaving.filter(({ holder }) => holder === this.#locks.holder);
    if (ours.length === 0 && wanted.length === 0) return;
    const { holder, isTaken } = await this.#locks.giveAndTake(ours.map(nameOf), wanted.map(nameOf));
    const sinceMs = performance.now();
    for (const [place, held] of wanted.entries()) {
      held.holder = isTaken[place] ? holder : undefined;
      held.sinceMs = sinceMs;
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#locks[Symbol.asyncDispose]();
  }
}
