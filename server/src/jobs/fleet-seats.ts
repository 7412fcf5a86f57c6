import { hash } from 'node:crypto';
import { Client } from 'pg';
import { NoSeat, Seats } from '../lib/fetch-safely/seats.ts';
import { Gather } from './gather.ts';

const SEATS_PER_HOST = 2;
const LONGEST_LINE = 100;
/** So long a seat waits for others to be asked for with it: little beside a connection, and far fewer questions. */
const LINGER_MS = 5;
const MOST = 500;
/** One question for both: those given back are free for others as soon as those taken are not. */
const TAKE_AND_GIVE = `SELECT CASE WHEN u.is_taken THEN pg_try_advisory_lock(u.key) ELSE pg_advisory_unlock(u.key) END AS done
  FROM unnest($1::bigint[], $2::bool[]) WITH ORDINALITY AS u (key, is_taken, place) ORDER BY u.place`;

interface Lock {
  key: bigint;
  /** Else it is given back. */
  isTaken: boolean;
}

/**
 * Two at once of a host over all workers that share the database. A seat is an advisory lock of a connection: it needs
 * no row and no clean-up, and when a worker is killed PostgreSQL gives its seats to others. Locks are asked for and given
 * back many at a time. The connection must be PostgreSQL's own, not one of a pooler that lends it out by transaction.
 */
export class FleetSeats implements AsyncDisposable {
  readonly #databaseUrl: string;
  readonly #here = new Seats(SEATS_PER_HOST, LONGEST_LINE);
  /** Keys of the seats that this process holds: the same connection would be given the same lock twice. */
  readonly #held = new Set<bigint>();
  readonly #locks = new Gather<Lock, boolean>((locks) => this.#ask(locks), MOST, LINGER_MS);
  #client: Promise<Client> | undefined;
  #isClosed = false;

  constructor(databaseUrl: string) {
    this.#databaseUrl = databaseUrl;
  }

  /** Throws NoSeat when others hold both: there is no line across processes, the work is put off instead. */
  async take(host: string, signal: AbortSignal): Promise<Disposable> {
    const here = await this.#here.take(host, signal);
    try {
      const key = await this.#takeOne(host);
      return { [Symbol.dispose]: () => this.#give(key, here) };
    } catch (error) {
      here[Symbol.dispose]();
      throw error;
    }
  }

  async #takeOne(host: string): Promise<bigint> {
    for (let seat = 0; seat < SEATS_PER_HOST; seat += 1) {
      const key = keyOf(host, seat);
      if (this.#held.has(key)) continue;
      this.#held.add(key);
      if (await this.#isOurs(key)) return key;
    }
    throw new NoSeat(`other workers are asking ${host} already`);
  }

  async #isOurs(key: bigint): Promise<boolean> {
    let isOurs = false;
    try {
      isOurs = await this.#locks.add({ key, isTaken: true });
    } finally {
      if (!isOurs) this.#held.delete(key);
    }
    return isOurs;
  }

  #give(key: bigint, here: Disposable): void {
    const free = (): void => {
      this.#held.delete(key);
      here[Symbol.dispose]();
    };
    // Where it cannot be given back the connection is lost, and its locks with it.
    this.#locks.add({ key, isTaken: false }).then(free, free);
  }

  async #ask(locks: readonly Lock[]): Promise<boolean[]> {
    // A connection that closes late gives its seat back when all are free already; nobody would end one made for that.
    if (this.#isClosed) throw new Error('the worker is stopping');
    const client = await (this.#client ??= this.#connect());
    const values = [locks.map(({ key }) => String(key)), locks.map(({ isTaken }) => isTaken)];
    try {
      const { rows } = await client.query<{ done: boolean }>({
        name: 'seats-take-and-give',
        text: TAKE_AND_GIVE,
        values,
      });
      return rows.map(({ done }) => done);
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

const keyOf = (host: string, seat: number): bigint =>
  hash('sha256', `${seat} ${host}`, 'buffer').readBigInt64BE();
