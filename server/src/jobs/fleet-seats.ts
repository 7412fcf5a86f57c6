import { Client } from 'pg';
import type { Waiting } from '../lib/fetch-safely/late-signal.ts';
import { NoSeat, Seats } from '../lib/fetch-safely/seats.ts';
import { Gather } from './gather.ts';

const SEATS_PER_HOST = 2;
const LONGEST_LINE = 100;
/** So long a seat waits for others to be asked for with it: little beside a connection, and far fewer questions. */
const LINGER_MS = 5;
const MOST = 500;
/**
 * One question for both: those given back are free for others as soon as those taken are not. A line for each, and of each a
 * letter in answer: as arrays and rows they were more work than what they are for. Hosts come from addresses that were
 * read, and hold no blank.
 */
const TAKE_AND_GIVE = `SELECT string_agg(CASE WHEN done THEN 't' ELSE 'f' END, '' ORDER BY place) AS done FROM (
    SELECT place, CASE WHEN starts_with(line, '+') THEN pg_try_advisory_lock(key) ELSE pg_advisory_unlock(key) END AS done
    FROM string_to_table($1, E'\\n') WITH ORDINALITY AS u (line, place), hashtextextended(substr(u.line, 2), 0) AS key
  ) AS asked`;

interface Lock {
  host: string;
  number: number;
  /** Else it is given back. */
  isTaken: boolean;
}

/** Two hosts that share a key by chance share its seats too. */
const lineOf = ({ host, number, isTaken }: Lock): string => `${isTaken ? '+' : '-'}${number} ${host}`;

class Seat implements Disposable {
  readonly #give: () => void;

  constructor(give: () => void) {
    this.#give = give;
  }

  [Symbol.dispose](): void {
    this.#give();
  }
}

/**
 * Two at once of a host over all workers that share the database. A seat is an advisory lock of a connection: it needs
 * no row and no clean-up, and when a worker is killed PostgreSQL gives its seats to others. Locks are asked for and given
 * back many at a time. The connection must be PostgreSQL's own, not one of a pooler that lends it out by transaction.
 */
export class FleetSeats implements AsyncDisposable {
  readonly #databaseUrl: string;
  readonly #here = new Seats(SEATS_PER_HOST, LONGEST_LINE);
  /** The seats of each host that this process holds, a bit for each: the same connection would be given a lock twice. */
  readonly #held = new Map<string, number>();
  readonly #locks = new Gather<Lock, boolean>((locks) => this.#ask(locks), MOST, LINGER_MS);
  #client: Promise<Client> | undefined;
  #isClosed = false;

  constructor(databaseUrl: string) {
    this.#databaseUrl = databaseUrl;
  }

  /** Throws NoSeat when others hold both: there is no line across processes, the work is put off instead. */
  async take(host: string, waiting: Waiting): Promise<Disposable> {
    const here = await this.#here.take(host, waiting);
    let number = 0;
    try {
      for (; number < SEATS_PER_HOST; number += 1) {
        const held = this.#held.get(host) ?? 0;
        if ((held & (1 << number)) !== 0) continue;
        this.#held.set(host, held | (1 << number));
        if (await this.#locks.add({ host, number, isTaken: true })) return this.#seat(host, number, here);
        this.#forget(host, number);
      }
      throw new NoSeat(`other workers are asking ${host} already`);
    } catch (error) {
      if (number < SEATS_PER_HOST) this.#forget(host, number);
      here[Symbol.dispose]();
      throw error;
    }
  }

  #forget(host: string, number: number): void {
    const held = (this.#held.get(host) ?? 0) & ~(1 << number);
    if (held === 0) this.#held.delete(host);
    else this.#held.set(host, held);
  }

  #seat(host: string, number: number, here: Disposable): Disposable {
    const free = (): void => {
      this.#forget(host, number);
      here[Symbol.dispose]();
    };
    // Where it cannot be given back the connection is lost, and its locks with it.
    return new Seat(() => void this.#locks.add({ host, number, isTaken: false }).then(free, free));
  }

  async #ask(locks: readonly Lock[]): Promise<boolean[]> {
    // A connection that closes late gives its seat back when all are free already; nobody would end one made for that.
    if (this.#isClosed) throw new Error('the worker is stopping');
    const client = await (this.#client ??= this.#connect());
    const lines = locks.map(lineOf).join('\n');
    try {
      const { rows } = await client.query<{ done: string }>({
        name: 'seats-take-and-give',
        text: TAKE_AND_GIVE,
        values: [lines],
      });
      return Array.from(rows[0]?.done ?? '', (letter) => letter === 't');
    } catch (error) {
      // Whether the locks are ours now is unknown; without the connection they are certainly not.
      this.#client = undefined;
      client.end().catch(() => undefined);
      throw error;
    }
  }

  async #connect(): Promise<Client> {
    const client = new Client({
      connectionString: this.#databaseUrl,
      application_name: 'longwave seats',
      connectionTimeoutMillis: 5000,
      query_timeout: 5000,
      keepAlive: true,
    });
    const forget = (): void => {
      this.#client = undefined;
    };
    client.on('error', forget);
    client.on('end', forget);
    try {
      await client.connect();
      return client;
    } catch (error) {
      forget();
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    const client = await this.#client?.catch(() => undefined);
    await client?.end();
  }
}
